"""Words in column names and what they speak of, in English, German, French and Spanish.

Words are written without accents and in lower case. A phrase matches where its words stand side by side in the name,
also when they are written as one: "date of birth", "dateofbirth", "DateOfBirth". A word that ends with ``*`` matches
every word that begins so: "educ*" is educ, education and educyrs.
"""

from __future__ import annotations

IDENTIFIER = {
    "a person's name": (
        "first name, last name, full name, middle name, family name, given name, maiden name, surname, forename, "
        "fname, lname, vorname, nachname, familienname, geburtsname, prenom, nom de famille, nom complet, "
        "apellido, apellidos, nombre, nombre completo, initials, birth name, patient name, person name, customer "
        "name, client name, employee name, student name, player name, teacher name, author name, doctor name, "
        "physician name, contact name, parent name, spouse name, nickname, hausarzt, ansprechpartner"
    ),
    "a personal number": (
        "ssn, social security, social security number, mrn, medical record number, nhs number, national id, "
        "passport, passport number, driver license, licence number, license number, license plate, tax id, tin, "
        "nino, iban, bankverb*, kontonr, bank account, account number, credit card, card number, "
        "insurance number, policy number, "
        "sozialversicherungsnummer, versichertennummer, personalnummer, steuernummer, reisepass, kennzeichen, "
        "numero de securite sociale, numero securite sociale, nir, passeport, dni, nie, nif, curp, pasaporte, "
        "numero de seguridad social, seguridad social, patient id, person id, customer id, client id, employee "
        "id, student id, user id, member id, subject id, participant id, uuid, guid, case number, birth number, "
        "usubjid, patid, patientid, subjid, custid, empid, studid, respid, persid, partid, ptid, pnr"
    ),
    "a way to reach a person": (
        "email, e mail, mail, phone, telephone, tel, mobile, cell phone, fax, telefon, handy, telefonnummer, "
        "telefono, movil, correo, courriel, portable"
    ),
    "a home or network address": (
        "address, street, street address, house number, ip, ip address, mac address, url, website, adresse, "
        "anschrift, strasse, hausnummer, rue, direccion, calle, domicilio"
    ),
    "a login or device": (
        "user name, username, login, password, device id, imei, cookie, session, benutzername, usuario"
    ),
    "free remarks": (
        "comment, comments, remarks, remark, notes, note, other info, free text, freitext, bemerkung, "
        "bemerkungen, anmerkung, commentaire, observaciones, comentario, comentarios, arztbrief"
    ),
}

WHOLE: dict[str, tuple[str, str, bool]] = {
    **dict.fromkeys(
        (
            *("first", "last", "middle", "given", "family", "vor", "nach", "vname", "nname", "fullname"),
            *("compasname", "member", "player", "author", "winner", "name", "nom"),
        ),
        ("identifier", "a person's name", True),
    ),
    **dict.fromkeys(("degree", "ed", "hs", "sch", "ba", "bsc", "msc", "mba"), ("quasi", "education", False)),
    # Alone they are short for something; in longer names they may be short for anything.
    "size": ("quasi", "family", False),
    **dict.fromkeys(("ht", "wt", "hgt", "wgt"), ("quasi", "the body", False)),
    **dict.fromkeys(("eth", "nat", "white", "black"), ("quasi", "origin", False)),
    **dict.fromkeys(
        ("exp", "occ", "ind", "hours", "weeks", "rank", "title", "years", "yrs", "govt", "government"),
        ("quasi", "work", False),
    ),
    **dict.fromkeys(
        ("long", "south", "north", "east", "west", "town", "ne", "nc", "nw", "sw"), ("quasi", "a place", False)
    ),
    **dict.fromkeys(("home", "owner", "own", "owned"), ("quasi", "housing", False)),
    **dict.fromkeys(("inc", "sal", "re"), ("sensitive", "money", False)),
    **dict.fromkeys(("dem", "rep"), ("sensitive", "belief and opinion", False)),
    **dict.fromkeys(
        ("event", "status", "outcome", "cens", "class", "target", "label", "y", "response"),
        ("sensitive", "how something ended", False),
    ),
    **dict.fromkeys(
        (
            "rx",
            "trt",
            "arm",
            "treat",
            "trtment",
            "hi",
            "ph",
            "cpr",
            "er",
            "hb",
            "hc",
            "psa",
            "bp",
            "control",
            "baseline",
            "los",
            "std",
            "ui",
        ),
        ("sensitive", "health", False),
    ),
    **dict.fromkeys(("act", "read", "math", "reading", "writing"), ("sensitive", "performance", False)),
    **dict.fromkeys(
        (
            "version",
            "edition",
            "release",
            "studyid",
            "study",
            "dataset",
            "essround",
            "source",
            "wave",
            "param",
            "paramcd",
        ),
        ("keep", "how the table was made", False),
    ),
}
"""Names that say something only when they are all of the name: role, subject, and whether they yield to the values."""

SAMPLING = (
    "weight, weights, wt, wgt, wght, fnlwgt, perweight, pweight, hweight, dweight, pspwght, wtssall, finalwt, "
    "sampw, sample weight, sampling weight, survey weight, final weight, design weight, person weight, "
    "gewichtung, hochrechnungsfaktor, ponderation, factor de expansion, expansion factor, inverse probability"
)
"""Names that sampling weights have. A weight alone may be that of a body: the values decide."""

OF_A_SAMPLE = ("sample", "sampling", "survey", "design")
"""Before a weight: it is no body's then, whatever the values."""

WEAK_IDENTIFIER = {
    "an identifier": (
        "id, ids, identifier, key, number, nr, no, num, code, index, rowid, row, rownames, name, nom, kennung, "
        "nummer, schluessel, numero, cle, clave, codigo, identifiant, identificador, idno, idnum, caseid, uid, "
        "obs, idcode, ident, serial, account, acct, konto"
    ),
    "a person": (
        "patient, person, individual, subject, participant, respondent, proband, client, customer, member, student, "
        "employee, user, kunde, mitarbeiter, personne, persona, paciente, cliente"
    ),
}
"""Words that yield to others: "country code" speaks of a country."""

QUASI = {
    "age": (
        "age, ages, aged, agea, ageh, agew, agem, agek, alter, edad, age group, agegrp, agegroup*, agecat*, agef*, "
        "ageof*, ageat*, ageyr*, agemo*, age at, altersgruppe, senior citizen, lebensalter, tranche d age"
    ),
    "a date or place of birth": (
        "birth, birthday, birthdate, birth date, date of birth, dob, yob, year of birth, born, bday, birthy*, "
        "birthq*, birthmonth, ybirth, mbirth, dbirth, yearborn, mnthborn, monthborn, brthord, birth order, birth year, "
        "birth place, birth "
        "pl, geburt, geburtsdatum, geburtstag, geburtsjahr, geburtsort, gebdat, naissance, date de naissance, "
        "nacimiento, fecha de nacimiento, fecha nacimiento, f nacimiento, f nac, fec nac, fechanac, geb, geb jahr, "
        "geb dat, geb am, geboren, geboren am, ne le, nee le, date naiss"
    ),
    "sex or gender": (
        "sex, gender, geschlecht, sexe, genre, sexo, genero, sx, female, male, fem, fml, woman, weiblich, "
        "maennlich, femme, homme, mujer, hombre"
    ),
    "a postal code": (
        "zip, zipcode, zip code, zip3, postcode, post code, postal, postal code, plz, postleitzahl, code postal, "
        "cp, codigo postal"
    ),
    "a place": (
        "city, town, village, county, state, region*, province, district, municipality, country, location, lat, "
        "latitude, lon, lng, longitude, coordinates, tract, residence, stadt, ort, wohnort, land, bundesland, "
        "kreis, gemeinde, ville, commune, departement, pays, ciudad, municipio, provincia, pais, estado, cntry, "
        "ctry, nation, northc*, nrthc*, north central, northern, southern, western, eastern, southeast, southwest, "
        "northwest, urban, rural, metro*, suburb*, smsa, msa, fips, nuts*, neighborhood, neighbourhood, "
        "neighbor*, borough, precinct, parish, canton, zone, area code, addr state, northeast, midwest, center, "
        "centre, site, clinic, ward, station, klinik, zentrum, distance, dist, area, population, place, "
        "ubicacion, quartier, barrio, viertel, urban*, puma, localidad"
    ),
    "origin": (
        "minrty, race, racegrp, hisp, ethnic, ethn*, nationality, citizen*, native country, native, foreign*, "
        "immigrant, "
        "migrant, migrat*, mother tongue, language, lang, english speaking, hispan*, latino, latina, asian, afam, "
        "african american, nonwhite, caucas*, minority, indigenous, aboriginal, skin colo*, colour, mulatto, "
        "herkunft, nationalitaet, staatsangehoerigkeit, muttersprache, sprache, nationalite, ethnie, langue, "
        "nacionalidad, etnia, raza, idioma"
    ),
    "family": (
        "marital, marital status, maritl, marr, married, maried, evermarr*, marri*, single, divorce*, widow*, "
        "adult, adults, dep, deps, kidslt*, kidsge*, babies, preteen, preteens, teens, "
        "relationship, family, family size, famsize, fsize, hhsize, child*, kid, kids, nkids, childs, household, "
        "household size, spouse, partner, siblings, sibs, sibsp, parch, dependents, dependants, depend*, twin*, "
        "parity, mother, father, husband, wife, husb, familienstand, kinder, haushalt, etat civil, situation "
        "familiale, enfants, menage, estado civil, hijos, hogar"
    ),
    "education": (
        "educ*, edu, eduyrs, edlevel*, school*, yschool, hschool, yedu, highest degree, academic degree, "
        "university degree, college degree, degree level, qualification, university, college*, collgrad, "
        "enrol*, ged, hgc, firstgen*, first gen, first generation, literacy, literate, diploma, bachelor*, phd, "
        "hsgrad, high school, grade level, class size, classroom, "
        "course, credits, major, bildung, ausbildung, schule, abschluss, formation, diplome, ecole, educacion, "
        "estudios, escuela, titulo"
    ),
    "work": (
        "occup*, occ10, occp, occrecode, occ code, ind code, job*, job title, profession*, work*, workclass, work "
        "class, employ*, emp, empl, emplmt, unemp*, uemp*, uerate, urate, self employed, selfemp, self emp, "
        "emp title, emp length, "
        "current title, industry, sector, experience, exper, ttl exp, tenure, seniority, hours per week, hours "
        "worked, hrs work, department, company, firm, business travel, manager, military, army, veteran, retire*, "
        "farm*, yrs service, years service, promotion, developer, engineer, administrator, scientist, designer, "
        "programming, programmer, specialist, analyst, devops, teacher, tch, nurse, discipline, position, "
        "prestg*, prestige, construc*, manufac*, manuf, trade, services, fte, full time, part time, ftpt, beruf, "
        "arbeit, arbeitgeber, branche, abteilung, emploi, metier, employeur, ocupacion, "
        "profesion, empleo, trabajo, business, wks ue, wks work"
    ),
    "housing": (
        "homeown*, home own, home ownership, house, housing, dwelling, rooms, condomin*, tenant, renter, car, "
        "cars, vehicle, yearveh, bicycle, tv, radio, wohnung, miete, logement, vivienda"
    ),
    "the body": (
        "height, weight, bmi, body mass, eye, eyes, eye color, hair, hair color, handed*, hand, lefthanded, "
        "stature, groesse, gewicht, koerpergroesse, taille, poids, estatura, peso, altura, waist, shoe size, "
        "beard"
    ),
    "public life": (
        "team*, league, lg, division, sport*, football, soccer, basketball, baseball, club, season, round, award*, "
        "oscar*, movie, film, volunteer, "
        "honors, hobby, pclass, cabin, embarked, athlete, celebrity, celebrit*, passenger*, citizenship, "
        "opensource, open source, verein"
    ),
    "a time when something happened to a person": (
        "admission, admitted, discharged, admission date, date of admission, discharge, discharge date, visit, "
        "visit date, date, time, "
        "timestamp, datetime, event date, death, date of death, hire date, year, yr, month, day, quarter, qrtr, "
        "random, yronset, onset, dxyr, acceptyear, yearfm, monthfm, stintrvw, endintrvw, interview date, "
        "enrolment, jail in, jail out, custody, start date, end date, issue month, datum, aufnahmedatum, "
        "aufnahme, aufnahmezeit, entlassung, entlassdatum, entlassungsdatum, jahr, monat, date admission, date de "
        "sortie, annee, fecha, fecha de ingreso, fecha de alta, ano"
    ),
}

SENSITIVE = {
    "health": (
        "diagnosis, diagnoses, diag, dx, diagnos*, disease*, ndisease, illness*, ill, illdays, sick*, condition, "
        "symptom*, icd, icd10, icd 10, ops, mg, dl, mmol, mmhg, ul, ug, ng, iu, hb, hiv*, aids, health*, hlth, "
        "test result, result, lab, laboratory, treatment, therap*, drug*, medication, medicine, medical, dose*, "
        "dosage, placebo, procedure, surger*, surg, operation, disab*, pregnan*, prenatal, gestation*, cancer, "
        "tumor*, tumour*, metasta*, nodes, node4, stage, biopsy, diabet*, blood, blood pressure, cholest*, chol, "
        "hichol, hdl, ldl, trig*, gluc*, hba1c, insulin, mental, depress*, anxi*, anx, stress*, genotype, "
        "inherit*, baseline, allele*, mutation, hla*, pain*, abdpain, cough*, vomit*, fever, lesion*, rash, "
        "itch*, fracture*, injur*, wound*, infect*, infct, ulcer*, lymph*, thickness, swell*, nausea, headache*, "
        "asthma*, allerg*, alerg*, glyc*, glic*, angina, stroke, hypert*, highbp, sysbp, diabp, systolic, "
        "diastolic, pulse, heart, "
        "heart rate, hrtrate, temperature, temp, creat, creatinin*, kreatinin, bili, bilirubin, albumin, sodium, "
        "natrium, kalium, potassium, copper, alk phos, ast, platelet*, protime, hgb, hemoglob*, haemoglob*, wbc, "
        "rbc, rcc, wcc, ferr*, crp, leuko*, hematocrit, kappa, lambda, mspike, mgus, po2, pco, bic, ecog, karno*, "
        "gcs*, apgar, omaps, fmaps, mallampati, asa*, ascites, hepat*, edema, spiders, renal, kidney, liver, "
        "lung, brain, skull, consciousness, amnesia, coma, uncons*, emergency, icu, previcu, hospitali*, hospvis, "
        "hospital, docvis, doctor*, visits, transplant*, graft*, stent*, chemo*, radiother*, radiologic, hormon*, "
        "steroid*, meno*, pgr, fentanyl, alfentanil, midazolam, opioid*, anesth*, relapse*, recur*, remission, "
        "reject*, mismatch, resist*, symptom, vaccin*, immun*, smok*, smoke*, cigs, cigar*, tobacco, alcohol*, "
        "drink*, drunk, substance*, anysub*, addict*, cesd, beck, bdi, iq, adl, handicap, physlim, chronic*, "
        "nchronic, lchronic, acute, condom*, contracept*, sleep*, calor*, meal cal, wt loss, diet*, body fat, "
        "pcbfat, ssf, lbm, birthweight, birth weight, bwt, bwght, lbw, vlbw, lowbirth*, low birth weight, premie, "
        "premature, npvis, monpre, gained, insurance*, health ins, medicaid, medicare, hmo, payor*, kasse, "
        "krankenkasse, suicid*, overdose, diagnose, hauptdiagnose, nebendiagnose*, krankheit, befund, ergebnis, "
        "raucher, labor, puls, verweildauer, medikament, behandlung, therapie, behinderung, schwanger, "
        "diagnostic, maladie, resultat, medicament, traitement, diagnostico, enfermedad, resultado, medicamento, "
        "tratamiento, discapacidad, fumador, fumeur"
    ),
    "how something ended": (
        "died, dead, deceased, alive, cause*, surviv*, survtime, mortality, fustat, futime, follow up, followup, "
        "censor*, cens, time to, ttr, rtime, dtime, ptime, pstat, tstart, tstop, los, length of stay, gestorben, "
        "decede, fallecido, durat*, spell, exitus, verstorben, discharge dest, discharge destination, disch dest, "
        "mode de sortie, sortie"
    ),
    "money": (
        "salar*, income*, annual inc, hhninc, realrinc, rincome, fincome, nettfa, wage*, earn*, pay, paid, "
        "revenue, salary class, capital gain, capital loss, cost*, price*, amount*, amnt, amt, cash, money, "
        "kosten, preis, betrag, cout, prix, montant, coste, precio, importe, debt*, loan*, lending, balance*, "
        "bal, credit*, credit score, bankrupt*, lien*, delinq*, inquir*, inq, installment*, mortgage*, interest "
        "rate, int rate, hourly rate, daily rate, monthly rate, debit, util*, charges, fees, fee, expens*, "
        "expend*, totexp, spend*, budget*, wealth, asset*, saving*, pension*, 401k, ira, e401k, p401k, pira, "
        "benefits, welfare, stock option*, bonus, hike, raise, tax*, famincr, hinc*, default, deny, denied, "
        "records, premium*, prime, primes, prima, primas, beitrag*, entgelt*, schaden*, honorar*, umsatz*, "
        "bill, bills, billing, "
        "billed, sum insured, insured sum, zahlweise, zahlungsweise, zahlungsart, payment*, gehalt, "
        "einkommen, lohn, vermoegen, schulden, kredit, salaire, revenu, dette, salario, ingreso, "
        "ingresos, sueldo, deuda, renta"
    ),
    "belief and opinion": (
        "relig*, faith, church*, pray*, bornagain, born again, catholic, protestant, protest, muslim, jewish, "
        "spirit*, political*, politics, party, partyid, partyid*, pid7*, vote*, voting, ideo*, lrscale, opinion*, "
        "attitude*, approv*, trust, support*, oppos*, favor*, agree*, belie*, poverty, thermometer*, conservat*, "
        "liberal*, union, union member, abort*, choice, racism, fear*, angry*, anger, happy, happiness, satisf*, "
        "worry, worri*, importan*, risk averse, prejudice, konfession, glaube, partei, wahl, gewerkschaft, croyance, "
        "parti, syndicat, religiosa, partido, voto, creencia"
    ),
    "private life": (
        "sexual*, sexrisk, sexual orientation, orientation, partners, npartner, affair*, crime*, criminal, "
        "offence*, offens*, convict*, arrest*, felon*, prison*, jail*, sentenc*, avgsen, priors, recid*, violen*, "
        "charge, guilty, search*, personsearch, vehiclesearch, citation*, released, custod*, suspect*, problem*, "
        "force type, resistance, juvenile, juv*, probation, parole, gambl*, homeless*, abuse*, sexuelle, "
        "straftat, verurteilung, infraction, condamnation, delito, condena, orientacion sexual, rules, tserved, "
        "method of"
    ),
    "performance": (
        "grade, grades, score*, gpa, colgpa, hsgpa, cumgpa, trmgpa, ugpa, cgpa, mark, marks, rating*, "
        "performance*, evaluation*, eval, exam*, test "
        "score, sat, satv, satq, satm, actm, psatm, aptitude, abil*, achiev*, success*, attrition, churn, "
        "turnover, absen*, days absent, dropout, involvement, iqscore, class rank, hsrank, hsperc, kww, attend*, "
        "note scolaire, noten, zensur, notes scolaires, nota, calificacion, zufriedenheit"
    ),
    "a measurement": (
        "vol, volume*, diameter*, circumf*, ratio, prop, proportion, concentr*, density, intensity, amplitude*, "
        "latency, velocity, flow, uptake, clearance, titer, titre, index value, std dev, variance"
    ),
    "conduct": (
        "calls, minutes, messages, vmail*, purchase*, orders, usage, consumption, clicks, logins, complaint*, "
        "response*, answer*, item*, frequency, behavior*, behaviour*, habit*, exercise, exer, physically active, "
        "strength training, helmet*, driving, seatbelt, gambling, takeup*, compliance, complied, screen time, tv "
        "hours"
    ),
}

NOT_TIMES = "died, dead, death, discharge, visit, admission, onset, custody, random, time, day, month, date"
"""Words of a time that mean something else where the values are no dates: whether, how long, how often."""
