"""Words in column names and what they speak of, in English, German, French and Spanish.

Words are written without accents and in lower case. A phrase matches where its words stand side by
side in the name, also when they are written as one: "date of birth", "dateofbirth", "DateOfBirth".
"""

from __future__ import annotations

IDENTIFIER = {
    "a person's name": (
        "first name, last name, full name, middle name, family name, given name, maiden name, "
        "surname, forename, fname, lname, vorname, nachname, familienname, geburtsname, prenom, nom "
        "de famille, nom complet, apellido, apellidos, nombre, nombre completo, initials, birth name, "
        "patient name, person name, customer name, client name, employee name, student name"
    ),
    "a personal number": (
        "ssn, social security, social security number, mrn, medical record number, nhs number, "
        "national id, passport, passport number, driver license, licence number, license number, "
        "license plate, tax id, tin, nino, iban, account number, credit card, card number, insurance "
        "number, policy number, sozialversicherungsnummer, versichertennummer, personalnummer, "
        "steuernummer, reisepass, kennzeichen, numero de securite sociale, numero securite sociale, "
        "nir, passeport, dni, nie, nif, curp, pasaporte, numero de seguridad social, seguridad "
        "social, patient id, person id, customer id, client id, employee id, student id, user id, "
        "member id, subject id, participant id, uuid, guid"
    ),
    "a way to reach a person": (
        "email, e mail, mail, phone, telephone, tel, mobile, cell phone, fax, telefon, handy, "
        "telefonnummer, telefono, movil, correo, courriel, portable"
    ),
    "a home or network address": (
        "address, street, street address, house number, ip, ip address, mac address, url, website, "
        "adresse, anschrift, strasse, hausnummer, rue, direccion, calle, domicilio"
    ),
    "a login or device": (
        "user name, username, login, password, device id, imei, cookie, session, benutzername, usuario"
    ),
    "free remarks": (
        "comment, comments, remarks, remark, notes, free text, freitext, bemerkung, bemerkungen, "
        "anmerkung, commentaire, observaciones, comentario, comentarios"
    ),
}

WHOLE: dict[str, tuple[str, str, bool]] = {
    **dict.fromkeys(
        ("first", "last", "middle", "given", "family", "vor", "nach", "vname", "nname", "fullname", "compasname"),
        ("identifier", "a person's name", True),
    ),
    "degree": ("quasi", "education", False),  # alone; of a charge or a burn it is none
    **dict.fromkeys(
        (
            "fnlwgt",
            "perweight",
            "sampleweight",
            "samplingweight",
            "surveyweight",
            "finalweight",
        ),
        ("keep", "a sampling weight", False),
    ),
}
"""Names that say something only when they are all of the name: role, subject, and whether they yield to the values."""

WEAK_IDENTIFIER = {
    "an identifier": (
        "id, ids, identifier, key, number, nr, no, num, code, index, rowid, row, name, nom, kennung, "
        "nummer, schluessel, numero, cle, clave, codigo, identifiant, identificador"
    ),
    "a person": (
        "patient, person, subject, participant, respondent, proband, client, customer, member, student, "
        "employee, user, kunde, mitarbeiter, personne, persona, paciente, cliente"
    ),
}
"""Words that yield to others: "country code" speaks of a country."""

QUASI = {
    "age": ("age, ages, alter, edad, age group, age at, altersgruppe"),
    "a date or place of birth": (
        "birth, birthday, birthdate, birth date, date of birth, dob, yob, year of birth, born, "
        "geburt, geburtsdatum, geburtstag, geburtsjahr, geburtsort, naissance, date de naissance, "
        "nacimiento, fecha de nacimiento, fecha nacimiento"
    ),
    "sex or gender": ("sex, gender, geschlecht, sexe, genre, sexo, genero"),
    "a postal code": (
        "zip, zipcode, zip code, postcode, post code, postal, postal code, plz, postleitzahl, code "
        "postal, cp, codigo postal"
    ),
    "a place": (
        "city, town, village, county, state, region, province, district, municipality, country, "
        "location, lat, latitude, lon, lng, longitude, coordinates, tract, residence, stadt, ort, "
        "wohnort, land, bundesland, kreis, gemeinde, ville, commune, departement, pays, ciudad, "
        "municipio, provincia, pais, estado"
    ),
    "origin": (
        "race, ethnic, ethnicity, nationality, citizenship, native country, immigrant, mother tongue, "
        "language, herkunft, nationalitaet, staatsangehoerigkeit, muttersprache, sprache, "
        "nationalite, ethnie, langue, nacionalidad, etnia, raza, idioma"
    ),
    "family": (
        "marital, marital status, married, relationship, family, family size, children, household, "
        "spouse, familienstand, kinder, haushalt, etat civil, situation familiale, enfants, menage, "
        "estado civil, hijos, hogar"
    ),
    "education": (
        "education, school, highest degree, academic degree, university degree, college degree, degree level, "
        "qualification, university, schooling, bildung, ausbildung, "
        "schule, abschluss, formation, diplome, ecole, educacion, estudios, escuela, titulo"
    ),
    "work": (
        "occupation, job, job title, profession, work, workclass, work class, employer, employment, "
        "industry, hours per week, beruf, arbeit, arbeitgeber, branche, emploi, metier, employeur, "
        "ocupacion, profesion, empleo, trabajo"
    ),
    "the body": (
        "height, weight, bmi, eye color, hair color, handedness, groesse, gewicht, koerpergroesse, "
        "taille, poids, estatura, peso, altura"
    ),
    "a time when something happened to a person": (
        "admission, admission date, date of admission, discharge, discharge date, visit, visit date, "
        "date, time, timestamp, datetime, event date, death, date of death, hire date, year, month, "
        "datum, aufnahmedatum, aufnahme, entlassung, entlassungsdatum, jahr, monat, date admission, "
        "date de sortie, annee, fecha, fecha de ingreso, fecha de alta, ano"
    ),
}

SENSITIVE = {
    "health": (
        "diagnosis, diagnoses, disease, illness, condition, symptom, icd, icd10, icd 10, hiv, aids, "
        "test result, result, lab, treatment, therapy, drug, drugs, medication, medicine, dose, "
        "procedure, surgery, disability, pregnant, pregnancy, cancer, diabetes, blood, blood "
        "pressure, cholesterol, mental, depression, genotype, diagnose, krankheit, befund, ergebnis, "
        "medikament, behandlung, therapie, behinderung, schwanger, diagnostic, maladie, resultat, "
        "medicament, traitement, handicap, diagnostico, enfermedad, resultado, medicamento, "
        "tratamiento, discapacidad"
    ),
    "money": (
        "salary, income, wage, wages, earnings, pay, revenue, salary class, capital gain, capital "
        "loss, cost, costs, price, amount, kosten, preis, betrag, cout, prix, "
        "montant, coste, precio, importe, debt, loan, balance, credit score, wealth, tax, gehalt, "
        "einkommen, lohn, vermoegen, schulden, kredit, salaire, revenu, dette, salario, "
        "ingreso, ingresos, sueldo, deuda, renta"
    ),
    "belief and opinion": (
        "religion, religious, faith, political, politics, party, vote, voted, union member, "
        "konfession, glaube, partei, wahl, croyance, parti, religiosa, partido, voto, creencia"
    ),
    "private life": (
        "sexual, sexual orientation, orientation, crime, criminal, offence, offense, conviction, "
        "arrest, sexuelle, straftat, verurteilung, infraction, condamnation, delito, condena, "
        "orientacion sexual"
    ),
    "performance": (
        "grade, grades, score, scores, gpa, mark, marks, rating, satisfaction, note, noten, zensur, "
        "notes scolaires, nota, calificacion"
    ),
}
