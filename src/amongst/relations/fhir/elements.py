"""What is read of a FHIR resource and written again, element by element. Everything else stays behind.

Names and meanings: HL7, *FHIR Release 4 (4.0.1)*, https://hl7.org/fhir/R4. Identifiers, names, telecom, addresses but
for the state, contacts, photographs, narrative, notes, displayed and free texts, extensions, participants, performers
and places are in none of the tables here, so none of them can be published.
"""

from __future__ import annotations

from dataclasses import dataclass

PUBLISHED = "urn:amongst:published"
"""The extension that holds what is published where an element cannot: a range of years, a group of codes."""
ABSENT = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
WHY_ABSENT = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
UCUM = "http://unitsofmeasure.org"
OF_HL7 = "http://terminology.hl7.org/"
"""Where codes that FHIR defines for itself come from: of elements that are kept no others are read."""
WORD = "^[a-z][a-z0-9-]{0,39}$"
"""Codes that FHIR itself defines: anything else in their place is not read."""


@dataclass(frozen=True)
class Element:
    """An element and the column that it is read into.

    Attributes
    ----------
    kind : {"word", "year", "text", "dead", "day", "number", "unit", "concept", "coding"}
    path : str
        Where it is, as JSON paths have it.
    due : str
        What is written where nothing is known and FHIR asks for something.
    within : str
        How the systems begin whose codes are read; of all where it is empty.
    """

    kind: str
    path: str
    due: str = ""
    within: str = ""


@dataclass(frozen=True)
class Resource:
    """A type of resource: its references by their columns (the first one leads to the patient), and its elements."""

    elements: dict[str, Element]
    references: dict[str, tuple[str, str]]


SUBJECT = {"patient": ("subject", "Patient")}
AT = {"encounter": ("encounter", "Encounter")}
RESOURCES = {
    "Patient": Resource(
        {
            "gender": Element("word", "gender"),
            "born": Element("year", "birthDate"),
            "state": Element("text", "address[0].state"),
            "dead": Element("dead", "deceasedBoolean"),
        },
        {},
    ),
    "Encounter": Resource(
        {
            "status": Element("word", "status", due="unknown"),
            "class": Element("coding", "class", due="masked", within=OF_HL7),
            "day": Element("day", "period.start"),
        },
        SUBJECT,
    ),
    "Condition": Resource(
        {
            "clinical": Element("concept", "clinicalStatus", within=OF_HL7),
            "code": Element("concept", "code"),
            "day": Element("day", "onsetDateTime"),
        },
        SUBJECT | AT,
    ),
    "Observation": Resource(
        {
            "status": Element("word", "status", due="unknown"),
            "code": Element("concept", "code", due="masked"),
            "day": Element("day", "effectiveDateTime"),
            "number": Element("number", "valueQuantity.value"),
            "unit": Element("unit", "valueQuantity.code"),
            "value": Element("concept", "valueCodeableConcept"),
        },
        SUBJECT | AT,
    ),
    "MedicationRequest": Resource(
        {
            "status": Element("word", "status", due="unknown"),
            "intent": Element("word", "intent", due="order"),
            "medication": Element("concept", "medicationCodeableConcept", due="masked"),
            "day": Element("day", "authoredOn"),
        },
        SUBJECT | AT,
    ),
}
"""The types of resources, that of the persons first."""
