"""Countries, their sub-regions and regions.

Sources: ISO 3166-1 (codes, English short names); the containment of territories in CLDR 49 of the Unicode Consortium
(Unicode License v3), which follows the standard M49 of the United Nations and has Taiwan with Eastern Asia, Kosovo with
Southern Europe.
"""

from __future__ import annotations

REGIONS = {
    "Africa": ("Northern Africa", "Eastern Africa", "Middle Africa", "Southern Africa", "Western Africa"),
    "Americas": ("Northern America", "Caribbean", "Central America", "South America"),
    "Asia": ("Central Asia", "Eastern Asia", "South-eastern Asia", "Southern Asia", "Western Asia"),
    "Europe": ("Eastern Europe", "Northern Europe", "Southern Europe", "Western Europe"),
    "Oceania": ("Australia and New Zealand", "Melanesia", "Micronesia", "Polynesia"),
    "Antarctica": ("Antarctica",),
}

COUNTRIES = {
    "Northern Africa": (
        "DZ DZA Algeria; EG EGY Egypt; EH ESH Western Sahara; LY LBY Libya; MA MAR Morocco; SD SDN Sudan; TN TUN "
        "Tunisia"
    ),
    "Eastern Africa": (
        "BI BDI Burundi; DJ DJI Djibouti; ER ERI Eritrea; ET ETH Ethiopia; IO IOT British Indian Ocean Territory; "
        "KE KEN Kenya; KM COM Comoros; MG MDG Madagascar; MU MUS Mauritius; MW MWI Malawi; MZ MOZ Mozambique; RE "
        "REU Réunion; RW RWA Rwanda; SC SYC Seychelles; SO SOM Somalia; SS SSD South Sudan; TF ATF French "
        "Southern Territories; TZ TZA Tanzania; UG UGA Uganda; YT MYT Mayotte; ZM ZMB Zambia; ZW ZWE Zimbabwe"
    ),
    "Middle Africa": (
        "AO AGO Angola; CD COD Congo, The Democratic Republic of the; CF CAF Central African Republic; CG COG "
        "Congo; CM CMR Cameroon; GA GAB Gabon; GQ GNQ Equatorial Guinea; ST STP Sao Tome and Principe; TD TCD "
        "Chad"
    ),
    "Southern Africa": ("BW BWA Botswana; LS LSO Lesotho; NA NAM Namibia; SZ SWZ Eswatini; ZA ZAF South Africa"),
    "Western Africa": (
        "BF BFA Burkina Faso; BJ BEN Benin; CI CIV Côte d'Ivoire; CV CPV Cabo Verde; GH GHA Ghana; GM GMB Gambia; "
        "GN GIN Guinea; GW GNB Guinea-Bissau; LR LBR Liberia; ML MLI Mali; MR MRT Mauritania; NE NER Niger; NG "
        "NGA Nigeria; SH SHN Saint Helena, Ascension and Tristan da Cunha; SL SLE Sierra Leone; SN SEN Senegal; "
        "TG TGO Togo"
    ),
    "Northern America": (
        "BM BMU Bermuda; CA CAN Canada; GL GRL Greenland; PM SPM Saint Pierre and Miquelon; US USA United States"
    ),
    "Caribbean": (
        "AG ATG Antigua and Barbuda; AI AIA Anguilla; AW ABW Aruba; BB BRB Barbados; BL BLM Saint Barthélemy; BQ "
        "BES Bonaire, Sint Eustatius and Saba; BS BHS Bahamas; CU CUB Cuba; CW CUW Curaçao; DM DMA Dominica; DO "
        "DOM Dominican Republic; GD GRD Grenada; GP GLP Guadeloupe; HT HTI Haiti; JM JAM Jamaica; KN KNA Saint "
        "Kitts and Nevis; KY CYM Cayman Islands; LC LCA Saint Lucia; MF MAF Saint Martin (French part); MQ MTQ "
        "Martinique; MS MSR Montserrat; PR PRI Puerto Rico; SX SXM Sint Maarten (Dutch part); TC TCA Turks and "
        "Caicos Islands; TT TTO Trinidad and Tobago; VC VCT Saint Vincent and the Grenadines; VG VGB Virgin "
        "Islands, British; VI VIR Virgin Islands, U.S."
    ),
    "Central America": (
        "BZ BLZ Belize; CR CRI Costa Rica; GT GTM Guatemala; HN HND Honduras; MX MEX Mexico; NI NIC Nicaragua; PA "
        "PAN Panama; SV SLV El Salvador"
    ),
    "South America": (
        "AR ARG Argentina; BO BOL Bolivia; BR BRA Brazil; BV BVT Bouvet Island; CL CHL Chile; CO COL Colombia; EC "
        "ECU Ecuador; FK FLK Falkland Islands (Malvinas); GF GUF French Guiana; GS SGS South Georgia and the "
        "South Sandwich Islands; GY GUY Guyana; PE PER Peru; PY PRY Paraguay; SR SUR Suriname; UY URY Uruguay; VE "
        "VEN Venezuela"
    ),
    "Central Asia": ("KG KGZ Kyrgyzstan; KZ KAZ Kazakhstan; TJ TJK Tajikistan; TM TKM Turkmenistan; UZ UZB Uzbekistan"),
    "Eastern Asia": (
        "CN CHN China; HK HKG Hong Kong; JP JPN Japan; KP PRK North Korea; KR KOR South Korea; MN MNG Mongolia; "
        "MO MAC Macao; TW TWN Taiwan"
    ),
    "South-eastern Asia": (
        "BN BRN Brunei Darussalam; ID IDN Indonesia; KH KHM Cambodia; LA LAO Laos; MM MMR Myanmar; MY MYS "
        "Malaysia; PH PHL Philippines; SG SGP Singapore; TH THA Thailand; TL TLS Timor-Leste; VN VNM Vietnam"
    ),
    "Southern Asia": (
        "AF AFG Afghanistan; BD BGD Bangladesh; BT BTN Bhutan; IN IND India; IR IRN Iran; LK LKA Sri Lanka; MV "
        "MDV Maldives; NP NPL Nepal; PK PAK Pakistan"
    ),
    "Western Asia": (
        "AE ARE United Arab Emirates; AM ARM Armenia; AZ AZE Azerbaijan; BH BHR Bahrain; CY CYP Cyprus; GE GEO "
        "Georgia; IL ISR Israel; IQ IRQ Iraq; JO JOR Jordan; KW KWT Kuwait; LB LBN Lebanon; OM OMN Oman; PS PSE "
        "Palestine, State of; QA QAT Qatar; SA SAU Saudi Arabia; SY SYR Syria; TR TUR Türkiye; YE YEM Yemen"
    ),
    "Eastern Europe": (
        "BG BGR Bulgaria; BY BLR Belarus; CZ CZE Czechia; HU HUN Hungary; MD MDA Moldova; PL POL Poland; RO ROU "
        "Romania; RU RUS Russian Federation; SK SVK Slovakia; UA UKR Ukraine"
    ),
    "Northern Europe": (
        "AX ALA Åland Islands; DK DNK Denmark; EE EST Estonia; FI FIN Finland; FO FRO Faroe Islands; GB GBR "
        "United Kingdom; GG GGY Guernsey; IE IRL Ireland; IM IMN Isle of Man; IS ISL Iceland; JE JEY Jersey; LT "
        "LTU Lithuania; LV LVA Latvia; NO NOR Norway; SE SWE Sweden; SJ SJM Svalbard and Jan Mayen"
    ),
    "Southern Europe": (
        "AD AND Andorra; AL ALB Albania; BA BIH Bosnia and Herzegovina; ES ESP Spain; GI GIB Gibraltar; GR GRC "
        "Greece; HR HRV Croatia; IT ITA Italy; ME MNE Montenegro; MK MKD North Macedonia; MT MLT Malta; PT PRT "
        "Portugal; RS SRB Serbia; SI SVN Slovenia; SM SMR San Marino; VA VAT Holy See (Vatican City State); "
        "XK XKX Kosovo"
    ),
    "Western Europe": (
        "AT AUT Austria; BE BEL Belgium; CH CHE Switzerland; DE DEU Germany; FR FRA France; LI LIE Liechtenstein; "
        "LU LUX Luxembourg; MC MCO Monaco; NL NLD Netherlands"
    ),
    "Australia and New Zealand": (
        "AU AUS Australia; CC CCK Cocos (Keeling) Islands; CX CXR Christmas Island; HM HMD Heard Island and "
        "McDonald Islands; NF NFK Norfolk Island; NZ NZL New Zealand"
    ),
    "Melanesia": ("FJ FJI Fiji; NC NCL New Caledonia; PG PNG Papua New Guinea; SB SLB Solomon Islands; VU VUT Vanuatu"),
    "Micronesia": (
        "FM FSM Micronesia, Federated States of; GU GUM Guam; KI KIR Kiribati; MH MHL Marshall Islands; MP MNP "
        "Northern Mariana Islands; NR NRU Nauru; PW PLW Palau; UM UMI United States Minor Outlying Islands"
    ),
    "Polynesia": (
        "AS ASM American Samoa; CK COK Cook Islands; NU NIU Niue; PF PYF French Polynesia; PN PCN "
        "Pitcairn; TK TKL Tokelau; TO TON Tonga; TV TUV Tuvalu; WF WLF Wallis and Futuna; WS WSM Samoa"
    ),
    "Antarctica": ("AQ ATA Antarctica"),
}
"""By sub-region: the codes of two and three letters, and the name."""

ALSO = {
    "usa": "US",
    "u.s.": "US",
    "united states of america": "US",
    "uk": "GB",
    "england": "GB",
    "scotland": "GB",
    "wales": "GB",
    "great britain": "GB",
    "russia": "RU",
    "south korea": "KR",
    "north korea": "KP",
    "iran": "IR",
    "vietnam": "VN",
    "laos": "LA",
    "syria": "SY",
    "czech republic": "CZ",
    "holland": "NL",
    "turkey": "TR",
    "ivory coast": "CI",
    "macedonia": "MK",
    "hong kong": "HK",
    "palestine": "PS",
    "bolivia, plurinational state of": "BO",
    "brunei": "BN",
    "burma": "MM",
    "cape verde": "CV",
    "congo, republic of the": "CG",
    "dr congo": "CD",
    "democratic republic of the congo": "CD",
    "east timor": "TL",
    "iran, islamic republic of": "IR",
    "korea, democratic people's republic of": "KP",
    "korea, republic of": "KR",
    "republic of korea": "KR",
    "lao people's democratic republic": "LA",
    "macau": "MO",
    "micronesia": "FM",
    "moldova, republic of": "MD",
    "republic of moldova": "MD",
    "swaziland": "SZ",
    "syrian arab republic": "SY",
    "taiwan, province of china": "TW",
    "tanzania, united republic of": "TZ",
    "united republic of tanzania": "TZ",
    "vatican": "VA",
    "vatican city": "VA",
    "venezuela, bolivarian republic of": "VE",
    "viet nam": "VN",
}
"""Other names that are in use."""
