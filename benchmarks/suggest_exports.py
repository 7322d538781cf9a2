# ruff: noqa: E501
"""Made-up exports in the style of those that hospitals, insurers, schools and telephone companies have.

Nobody in them exists: names are common first and last names drawn at random, and everything else is drawn too. Texts are
written as such systems write them, in four languages, so that suggestions are scored on what people load and not on clean
teaching data alone. The roles of their columns stand in ``suggest_labels_fresh.txt``, below ``export/``.
"""

from __future__ import annotations

import csv
import datetime as dt
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

Draw = Callable[[], Any]
N_ROWS = 400

FIRST = {
    "en": "Oliver Amelia George Isla Harry Ava Noah Mia Jack Emily Leo Sophie Arthur Grace Oscar Lily Henry Freya Archie Ivy",
    "de": "Lukas Hannah Jonas Lea Felix Anna Paul Emma Maximilian Mia Tim Laura Jürgen Heike Günter Ursula Uwe Sabine Björn Anke",
    "fr": "Gabriel Louise Raphaël Jade Louis Chloé Jules Inès Hugo Manon Lucas Camille Benoît Hélène Thierry Sylvie Rémi Noémie",
    "es": "Hugo Lucía Martín Sofía Pablo María Álvaro Paula Javier Carmen Sergio Elena José Ana Raúl Pilar Iván Nuria",
}
LAST = {
    "en": "Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright Walker Hughes Green Lewis Hall Clarke Shah",
    "de": "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Bauer Richter Klein Wolf Schröder",
    "fr": "Martin Bernard Dubois Thomas Robert Richard Petit Durand Leroy Moreau Simon Laurent Lefèvre Michel Garcia Fournier",
    "es": "García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Ruiz Díaz Moreno Muñoz Álvarez Romero Navarro",
}
TOWN = {
    "en": "Leeds Bristol York Derby Exeter Luton Bath Oxford",
    "de": "Kiel Ulm Bonn Jena Trier Gießen Passau Celle",
    "fr": "Lyon Nantes Lille Rennes Dijon Angers Brest Pau",
    "es": "Sevilla Murcia Gijón Burgos Cádiz Lugo Toledo Jaén",
}
STREET = {
    "en": ("{} High Street", "{} Station Road", "{} Mill Lane", "{} Church Close"),
    "de": ("Hauptstraße {}", "Bahnhofstr. {}", "Am Anger {}", "Lindenweg {}"),
    "fr": ("{} rue de la Gare", "{} avenue Victor Hugo", "{} place du Marché", "{} chemin Vert"),
    "es": ("Calle Mayor {}", "Avda. de la Paz {}", "Plaza Nueva {}", "C/ del Sol {}"),
}
REMARK = {
    "en": ("called back on {}, will pay in {}", "prefers mornings since {}", "asked for copy of letter {}", "complained about bill {}, see file"),
    "de": ("hat am {} angerufen, meldet sich wieder", "Befund vom {} nachgereicht", "wünscht Rückruf wegen Brief {}", "verzogen seit {}, neue Anschrift folgt"),
    "fr": ("a rappelé le {}, paiement en attente", "courrier {} retourné", "souhaite un rendez-vous après le {}", "dossier {} incomplet, relance faite"),
    "es": ("llamó el día {}, pendiente de pago", "falta el documento {}", "pide cita después del {}", "reclamación {} abierta, ver carpeta"),
}  # fmt: skip
ICD = [
    "E11.9",
    "I10",
    "J45.0",
    "F32.1",
    "K35.8",
    "S72.0",
    "N39.0",
    "C50.9",
    "M54.5",
    "I21.4",
    "F10.2",
    "G40.9",
    "O80",
    "Z38.0",
    "B20",
    "J18.9",
]


class Exports:
    """Draws tables, always the same of the same seed."""

    def __init__(self, seed: int = 20261118) -> None:
        self.draw = random.Random(seed)

    def of(self, *words: str) -> Draw:
        return lambda: self.draw.choice(words)

    def number(self, low: int, high: int, text: str = "{}") -> Draw:
        return lambda: text.format(self.draw.randint(low, high))

    def money(self, middle: float, decimal: str = ".", group: str = "") -> Draw:
        def one() -> str:
            text = f"{self.draw.lognormvariate(0, 0.8) * middle:,.2f}"
            return text.replace(",", "G").replace(".", decimal).replace("G", group)

        return one

    def measured(self, middle: float, spread: float, decimal: str = ".", digits: int = 1) -> Draw:
        return lambda: f"{self.draw.gauss(middle, spread):.{digits}f}".replace(".", decimal)

    def date(self, first: int, last: int, form: str) -> Draw:
        days = (dt.date(last, 12, 31) - dt.date(first, 1, 1)).days
        return lambda: (dt.date(first, 1, 1) + dt.timedelta(self.draw.randint(0, days))).strftime(form)

    def moment(self, year: int, form: str) -> Draw:
        first = dt.datetime(year, 1, 1)
        return lambda: (first + dt.timedelta(minutes=self.draw.randint(0, 525_000))).strftime(form)

    def some(self, draw: Draw, share: float, none: str = "") -> Draw:
        return lambda: draw() if self.draw.random() < share else none

    def listed(self, words: list[str], mark: str) -> Draw:
        return lambda: mark.join(self.draw.sample(words, self.draw.randint(1, 3)))

    def first(self, language: str) -> Draw:
        return self.of(*FIRST[language].split())

    def last(self, language: str) -> Draw:
        return self.of(*LAST[language].split())

    def both(self, language: str, form: str = "{1}, {0}") -> Draw:
        first, last = self.first(language), self.last(language)
        return lambda: form.format(first(), last())

    def town(self, language: str) -> Draw:
        return self.of(*TOWN[language].split())

    def street(self, language: str) -> Draw:
        return lambda: self.draw.choice(STREET[language]).format(self.draw.randint(1, 199))

    def remark(self, language: str) -> Draw:
        def one() -> str:
            day = f"{self.draw.randint(1, 28)}.{self.draw.randint(1, 12)}."
            return self.draw.choice(REMARK[language]).format(day, self.draw.randint(2, 9))

        return self.some(one, 0.6)

    def mail(self, language: str) -> Draw:
        first, last = self.first("en"), self.last("en")
        return lambda: f"{first()}.{last()}{self.draw.randint(1, 99)}@example.{language}".lower()

    def rows(self, columns: dict[str, Draw], n: int = N_ROWS) -> list[dict[str, str]]:
        return [{name: str(draw()) for name, draw in columns.items()} for _ in range(n)]

    def visits(self, own: dict[str, Draw], visit: dict[str, Draw], n: int = 130) -> list[dict[str, str]]:
        """Several rows a person: what is its own stays the same."""
        people = self.rows(own, n)
        rows = [{**one, **self.rows(visit, 1)[0]} for one in people for _ in range(self.draw.randint(1, 5))]
        self.draw.shuffle(rows)
        return rows


def exports() -> dict[str, tuple[list[dict[str, str]], str, str]]:
    """By name: the rows, the separator and the encoding."""
    x = Exports()
    day = "%d.%m.%Y"
    return {
        "hospital-en": (x.visits({
            "HospNo": x.number(1000000, 9999999, "H{}"), "PtName": x.both("en"), "DOB": x.date(1930, 2015, "%d/%m/%Y"),
            "Sex": x.of("M", "F"), "GP": x.both("en", "Dr {0} {1}"), "Postcode": x.number(1, 9, "LS{} 4AB"),
            "NHSNo": x.number(4000000000, 4999999999),
        }, {
            "AdmDate": x.moment(2023, "%d/%m/%Y %H:%M"), "LOS": x.number(0, 30), "Ward": x.of("A1", "A2", "B1", "ITU", "CDU"),
            "PrimDx": x.of(*ICD), "Creat": x.measured(88, 25, digits=0), "EWS": x.number(0, 12),
            "DischDest": x.of("Home", "Care home", "Died", "Transfer"), "Extract version": lambda: "v4.2",
        }), ",", "utf-8"),
        "klinik-de": (x.rows({
            "Fallnr.": x.number(20000000, 29999999), "Pat-Name": x.both("de"), "GebDat": x.date(1930, 2015, day),
            "Geschl.": x.of("m", "w", "d"), "PLZ": x.number(10115, 99998), "Ort": x.town("de"), "Kostenträger": x.of("AOK", "TK", "Barmer", "privat", "DAK"),
            "VersNr": x.number(100000000, 999999999, "A{}"), "Aufn.": x.date(2022, 2023, day), "Entl.": x.date(2023, 2024, day),
            "HD": x.of(*ICD), "ND": x.listed(ICD, "|"), "CRP mg/l": x.measured(20, 6, ","), "Beh. Arzt": x.both("de", "Dr. {1}"),
            "RR syst": x.number(95, 190), "Entgelt": x.money(4200, ",", "."), "Arztbrief": x.remark("de"),
        }), ";", "cp1252"),
        "hopital-fr": (x.rows({
            "IPP": x.number(100000, 999999), "Nom": x.last("fr"), "Prénom": x.first("fr"), "Né(e) le": x.date(1930, 2015, "%d/%m/%Y"),
            "Sexe": x.of("H", "F"), "Code postal": x.number(10000, 95999), "Médecin traitant": x.both("fr", "Dr {1}"),
            "Date d'entrée": x.date(2023, 2023, "%d/%m/%Y"), "Service": x.of("Cardiologie", "Urgences", "Pédiatrie", "Chirurgie"),
            "DP": x.of(*ICD), "Poids": x.measured(72, 14, ","), "Taille": x.number(148, 196), "Glycémie": x.measured(5.6, 1.1, ",", 2),
            "Coût séjour": x.money(3100, ",", " "), "Sortie": x.of("domicile", "décès", "transfert"), "Observations": x.remark("fr"),
        }), ";", "utf-8"),
        "hospital-es": (x.rows({
            "NHC": x.number(100000, 999999), "Apellidos": x.both("es", "{1}"), "Nombre": x.first("es"), "DNI": x.number(10000000, 79999999, "{}K"),
            "F. nacimiento": x.date(1930, 2015, "%d/%m/%Y"), "Sexo": x.of("Hombre", "Mujer"), "Municipio": x.town("es"), "CP": x.number(1001, 52080, "{:05}"),
            "Fecha ingreso": x.date(2023, 2023, "%d/%m/%Y"), "Diagnóstico": x.of(*ICD), "Alergias": x.of("penicilina", "ninguna", "látex", "polen"),
            "Tensión": x.number(95, 180), "Estancia": x.number(1, 25), "Importe": x.money(2800, ",", "."), "Éxitus": x.of("S", "N"),
        }), ";", "latin-1"),
        "insurer-en": (x.rows({
            "policy_ref": x.number(10**7, 10**8 - 1, "PL-{}"), "holder": x.both("en", "{0} {1}"), "email_addr": x.mail("uk"), "mobile_no": x.number(10**8, 10**9 - 1, "07{}"),
            "birth_year": x.number(1935, 2004), "postcode_area": x.of("LS", "BS", "YO", "DE", "EX"), "occupation_class": x.of("1", "2", "3", "4"),
            "smoker_yn": x.of("Y", "N"), "cover_start": x.date(2015, 2023, "%Y-%m-%d"), "sum_insured": x.money(90000), "premium_pm": x.money(28),
            "claims_5y": x.number(0, 6), "claim_cause": x.some(x.of("fire", "theft", "illness", "accident"), 0.4), "ncd_years": x.number(0, 15),
            "iban": x.number(10**13, 10**14 - 1, "GB82WEST{}"), "agent_notes": x.remark("en"), "currency": lambda: "GBP",
        }), ",", "utf-8"),
        "versicherung-de": (x.rows({
            "Vertragsnummer": x.number(10**8, 10**9 - 1), "VN Nachname": x.last("de"), "VN Vorname": x.first("de"), "Anschrift": x.street("de"),
            "Tel. privat": x.number(10**6, 10**7 - 1, "0431/{}"), "Geburtsjahr": x.number(1935, 2004), "Beruf": x.of("Lehrer", "Maurer", "Ärztin", "Rentner", "Student"),
            "Familienstand": x.of("ledig", "verh.", "gesch.", "verw."), "Beitrag mtl.": x.money(61, ",", "."), "Schadenhöhe": x.money(1800, ",", "."),
            "Schadendatum": x.date(2020, 2023, day), "Schadenart": x.of("Wasser", "Feuer", "Haftpflicht", "Kfz"), "Zahlweise": x.of("monatlich", "jährlich"),
            "Vorerkrankung": x.of("ja", "nein"), "Vermittler": x.both("de", "{0} {1}"), "Mandant": lambda: "001",
        }), ";", "cp1252"),
        "assurance-fr": (x.rows({
            "N° contrat": x.number(10**6, 10**7 - 1), "Assuré": x.both("fr", "{1} {0}"), "Date naissance": x.date(1940, 2004, "%d/%m/%Y"), "Commune": x.town("fr"),
            "Situation fam.": x.of("célibataire", "marié(e)", "divorcé(e)", "veuf"), "Profession": x.of("enseignant", "ouvrier", "cadre", "retraité"),
            "Revenu annuel": x.money(31000, ",", " "), "Prime": x.money(420, ",", " "), "Nb sinistres": x.number(0, 5), "Montant sinistre": x.money(900, ",", " "),
            "Courriel": x.mail("fr"), "Portable": x.number(10**7, 10**8 - 1, "06{}"), "ALD": x.of("oui", "non"),
        }), ";", "cp1252"),
        "seguro-es": (x.rows({
            "Nº póliza": x.number(10**6, 10**7 - 1), "Tomador": x.both("es", "{0} {1}"), "Edad": x.number(18, 90), "Estado civil": x.of("soltero", "casado", "viudo", "divorciado"),
            "Provincia": x.town("es"), "Profesión": x.of("docente", "albañil", "médico", "jubilado"), "Ingresos": x.money(24000, ",", "."), "Prima anual": x.money(380, ",", "."),
            "Fumador": x.of("sí", "no"), "IMC": x.measured(26, 4, ","), "Siniestros": x.number(0, 5), "Teléfono": x.number(6 * 10**8, 7 * 10**8 - 1), "Observaciones": x.remark("es"),
        }), ";", "utf-8"),
        "school-en": (x.rows({
            "UPN": x.number(10**11, 10**12 - 1, "B{}"), "Surname": x.last("en"), "Forename": x.first("en"), "Year Group": x.number(7, 13), "Form": x.of("7A", "8B", "9C", "10D", "11E"),
            "Gender": x.of("M", "F"), "Ethnicity": x.of("WBRI", "APKN", "BCRB", "MWAS"), "FSM": x.of("Y", "N"), "SEN Status": x.of("N", "K", "E"), "EAL": x.of("Y", "N"),
            "Attendance %": x.measured(93, 4), "Maths GCSE": x.number(1, 9), "English GCSE": x.number(1, 9), "Exclusions": x.number(0, 4), "Home language": x.of("English", "Urdu", "Polish", "Somali"),
            "Parent contact": x.both("en", "Mrs {1}"),
        }), ",", "utf-8"),
        "schule-de": (x.rows({
            "Schülernr": x.number(10000, 99999), "Name/Vorname": x.both("de"), "geb. am": x.date(2005, 2013, day), "Klasse": x.of("5a", "6b", "7c", "8a", "9b"),
            "Staatsang.": x.of("deutsch", "türkisch", "syrisch", "polnisch"), "Konfession": x.of("ev.", "rk.", "isl.", "ohne"), "Note Mathe": x.number(1, 6), "Note Deutsch": x.number(1, 6),
            "Fehltage": x.number(0, 40), "Förderbedarf": x.of("ja", "nein"), "Erziehungsber.": x.both("de", "{0} {1}"), "Notfall-Tel": x.number(10**6, 10**7 - 1, "0171-{}"),
            "Wohnort": x.town("de"), "Bemerkung": x.remark("de"), "Schuljahr": lambda: "2023/24",
        }), ";", "cp1252"),
        "ecole-fr": (x.rows({
            "INE": x.number(10**8, 10**9 - 1, "{}HA"), "Élève": x.both("fr", "{1} {0}"), "Naissance": x.date(2005, 2012, "%d/%m/%Y"), "Classe": x.of("6A", "5B", "4C", "3D"), "Boursier": x.of("oui", "non"),
            "Langue vivante": x.of("anglais", "espagnol", "allemand"), "Moy. maths": x.measured(11, 3, ","), "Moy. français": x.measured(11, 3, ","), "Absences": x.number(0, 30),
            "Sanctions": x.number(0, 5), "Responsable légal": x.both("fr", "{0} {1}"), "Ville": x.town("fr"),
        }), ";", "utf-8"),
        "alumnos-es": (x.rows({
            "Expediente": x.number(10000, 99999), "Alumno/a": x.both("es"), "F.Nac.": x.date(2005, 2013, "%d/%m/%Y"), "Curso": x.of("1º ESO", "2º ESO", "3º ESO", "4º ESO"), "Sexo": x.of("V", "M"),
            "Nacionalidad": x.of("española", "marroquí", "rumana", "ecuatoriana"), "Repetidor": x.of("Sí", "No"), "Nota media": x.measured(6.2, 1.6, ","), "Faltas": x.number(0, 40), "NEE": x.of("Sí", "No"),
            "Correo tutor": x.mail("es"), "Localidad": x.town("es"),
        }), ";", "latin-1"),
        "telecom-en": (x.rows({
            "MSISDN": x.number(10**9, 10**10 - 1, "44{}"), "IMEI": x.number(10**14, 10**15 - 1), "cust_name": x.both("en", "{0} {1}"), "age_band": x.of("18-24", "25-34", "35-49", "50-64", "65+"),
            "sex": x.of("male", "female"), "tariff": x.of("Basic", "Plus", "Max"), "tenure_m": x.number(1, 120), "monthly_bill": x.money(32), "data_gb": x.measured(14, 4), "intl_min": x.number(0, 300),
            "late_payments": x.number(0, 8), "churned": x.of("0", "1"), "cell_id": x.number(1000, 1080), "last_login_ip": x.number(1, 254, "10.20.30.{}"), "contact_pref": x.of("sms", "mail", "none"),
        }), ",", "utf-8"),
        "telefon-de": (x.visits({
            "Kd-Nr": x.number(10**6, 10**7 - 1), "Kunde": x.both("de", "{0} {1}"), "Geb.-Jahr": x.number(1935, 2005), "PLZ": x.number(10115, 99998), "Bankverb.": x.number(10**17, 10**18 - 1, "DE89{}"),
        }, {
            "Rechnungsmonat": x.date(2023, 2023, "%m/%Y"), "Betrag": x.money(38, ",", "."), "Datenvol. GB": x.measured(12, 4, ","), "Mahnstufe": x.number(0, 3), "Tarif": x.of("S", "M", "L"),
        }), ";", "cp1252"),
    }  # fmt: skip


def write_exports(folder: Path) -> None:
    """Each as the text file that such a system would write."""
    for name, (rows, separator, encoding) in exports().items():
        with (folder / f"{name}.csv").open("w", newline="", encoding=encoding) as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter=separator)
            writer.writeheader()
            writer.writerows(rows)
