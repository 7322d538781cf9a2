"""States of the USA, their divisions and regions, and the areas of ZIP codes.

Sources: the U.S. Census Bureau (regions and divisions; a work of the federal government, free to use), and the 42,789
ZIP codes of the package zipcodes 3.0.0 (MIT licence), of which the first three digits are counted by state.
"""

from __future__ import annotations

REGIONS = {
    "Northeast": ("New England", "Middle Atlantic"),
    "Midwest": ("East North Central", "West North Central"),
    "South": ("South Atlantic", "East South Central", "West South Central"),
    "West": ("Mountain", "Pacific"),
    "Territories": ("Islands", "Armed Forces"),
}

STATES = {
    "New England": ("CT Connecticut; ME Maine; MA Massachusetts; NH New Hampshire; RI Rhode Island; VT Vermont"),
    "Middle Atlantic": "NJ New Jersey; NY New York; PA Pennsylvania",
    "East North Central": "IL Illinois; IN Indiana; MI Michigan; OH Ohio; WI Wisconsin",
    "West North Central": (
        "IA Iowa; KS Kansas; MN Minnesota; MO Missouri; NE Nebraska; ND North Dakota; SD South Dakota"
    ),
    "South Atlantic": (
        "DE Delaware; DC District of Columbia; FL Florida; GA Georgia; MD Maryland; NC North Carolina; "
        "SC South Carolina; VA Virginia; WV West Virginia"
    ),
    "East South Central": "AL Alabama; KY Kentucky; MS Mississippi; TN Tennessee",
    "West South Central": "AR Arkansas; LA Louisiana; OK Oklahoma; TX Texas",
    "Mountain": ("AZ Arizona; CO Colorado; ID Idaho; MT Montana; NV Nevada; NM New Mexico; UT Utah; WY Wyoming"),
    "Pacific": "AK Alaska; CA California; HI Hawaii; OR Oregon; WA Washington",
    "Islands": ("PR Puerto Rico; VI Virgin Islands; GU Guam; AS American Samoa; MP Northern Mariana Islands"),
    "Armed Forces": "AE Armed Forces Europe; AA Armed Forces Americas; AP Armed Forces Pacific",
}

ZIP3 = (
    "005 NY, 006-007 PR, 008 VI, 009 PR, 010-027 MA, 028-029 RI, 030-038 NH, 039-049 ME, 050-054 VT, 055 MA, "
    "056-059 VT, 060-069 CT, 070-089 NJ, 090-099 AE, 100-149 NY, 150-196 PA, 197-199 DE, 200 DC, 201 VA, 202-205 "
    "DC, 206-212 MD, 214-219 MD, 220-246 VA, 247-268 WV, 270-289 NC, 290-299 SC, 300-319 GA, 320-339 FL, 340 AA, "
    "341-342 FL, 344 FL, 346-347 FL, 349 FL, 350-352 AL, 354-369 AL, 370-385 TN, 386-397 MS, 398-399 GA, 400-418 "
    "KY, 420-427 KY, 430-459 OH, 460-479 IN, 480-499 MI, 500-516 IA, 520-528 IA, 530-532 WI, 534-535 WI, 537-549 "
    "WI, 550-551 MN, 553-567 MN, 569 DC, 570-577 SD, 580-588 ND, 590-599 MT, 600-620 IL, 622-629 IL, 630-631 MO, "
    "633-641 MO, 644-658 MO, 660-662 KS, 664-679 KS, 680-681 NE, 683-693 NE, 700-701 LA, 703-708 LA, 710-714 LA, "
    "716-729 AR, 730-731 OK, 733 TX, 734-741 OK, 743-749 OK, 750-770 TX, 772-799 TX, 800-816 CO, 820-831 WY, "
    "832-838 ID, 840-847 UT, 850-853 AZ, 855-857 AZ, 859-860 AZ, 863-865 AZ, 870-871 NM, 873-884 NM, 885 TX, 888 "
    "DC, 889-891 NV, 893-895 NV, 897-898 NV, 900-908 CA, 910-928 CA, 930-961 CA, 962-966 AP, 967-968 HI, 969 GU, "
    "970-979 OR, 980-986 WA, 988-994 WA, 995-999 AK"
)
"""The first three digits of ZIP codes that are in use, and the state that most of their codes are in."""
