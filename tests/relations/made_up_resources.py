"""Made-up FHIR resources with everything that names somebody, each such text with the mark LEAK in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

SNOMED, LOINC = "http://snomed.info/sct", "http://loinc.org"
ICD, ATC = "http://hl7.org/fhir/sid/icd-10", "http://www.whocc.no/atc"
CODES = {
    "Condition": ["J45.0", "J45.9", "I10", "E11.9", "K21.0"],
    "MedicationRequest": ["R03AC02", "R03BA01", "C09AA05"],
}
NOTE = {"status": "generated", "div": '<div xmlns="http://www.w3.org/1999/xhtml">LEAK narrative</div>'}


def resources(seed: int = 0, n: int = 60) -> dict[str, list[dict[str, Any]]]:
    """Patients with encounters, conditions, observations and prescriptions; dates of ten years, to the second."""
    rng = np.random.default_rng(seed)
    made: dict[str, list[dict[str, Any]]] = {name: [] for name in ("Patient", "Encounter", *CODES, "Observation")}

    def day() -> str:
        return str(np.datetime64("2010-01-01") + int(rng.integers(3650)))

    def new(name: str, /, **own: Any) -> str:
        key = f"LEAK-{name[:3]}-{int(rng.integers(10**9))}"
        common = {"resourceType": name, "id": key, "text": NOTE, "identifier": [{"value": "LEAK 123"}]}
        made[name].append(common | own | {"meta": {"source": "LEAK system"}, "extension": [_extension()]})
        return key

    for i in range(n):
        person = new(
            "Patient",
            name=[{"family": "LEAK", "given": ["LEAK"]}],
            gender=str(rng.choice(["male", "female"])),
            birthDate=f"{1940 + int(rng.integers(8)) * 5}-03-04",
            address=[
                {"line": ["LEAK street"], "city": "LEAK", "postalCode": "LEAK", "state": str(rng.choice(["MA", "NY"]))}
            ],
            telecom=[{"system": "phone", "value": "LEAK 555"}],
            contact=[{"name": {"text": "LEAK mother"}}],
            **({"deceasedDateTime": f"{day()}T10:11:12Z"} if i % 9 == 0 else {"deceasedBoolean": False}),
        )
        subject = {"reference": f"Patient/{person}", "display": "LEAK LEAK"}
        for _ in range(int(rng.integers(1, 4))):
            period = {"start": f"{day()}T08:09:10+01:00", "end": f"{day()}T09:09:10+01:00"}
            kind = {"system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "AMB", "display": "LEAK"}
            visit = new("Encounter", status="finished", subject=subject, period=period, **{"class": kind})
            at = {"encounter": {"reference": f"https://x.org/fhir/Encounter/{visit}/_history/2"}}
            for _ in range(int(rng.integers(0, 3))):
                code = _concept(ICD, rng.choice(CODES["Condition"], p=[0.3, 0.2, 0.3, 0.1, 0.1]))
                new(
                    "Condition",
                    subject=subject,
                    code=code,
                    onsetDateTime=f"{day()}T01:02:03Z",
                    note=[{"text": "LEAK"}],
                    **at,
                )
            value = {
                "value": float(rng.integers(60, 190)) + 0.5,
                "unit": "LEAK",
                "system": "http://unitsofmeasure.org",
                "code": "kg",
            }
            told = {"valueQuantity": value} if rng.random() < 0.7 else {"valueString": "LEAK in words"}
            code = _concept(LOINC, rng.choice(["29463-7", "8302-2"]))
            new("Observation", status="final", subject=subject, code=code, effectiveDateTime=day(), **told, **at)
        if rng.random() < 0.7:
            code = _concept(ATC, rng.choice(CODES["MedicationRequest"]))
            dosage = [{"text": "LEAK"}]
            own = {"status": "active", "intent": "order", "dosageInstruction": dosage, "authoredOn": day()}
            new("MedicationRequest", subject=subject, medicationCodeableConcept=code, **own)
    return made


def write(made: dict[str, list[dict[str, Any]]], folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, all_of_it in made.items():
        (folder / f"{name}.ndjson").write_text("".join(json.dumps(one) + "\n" for one in all_of_it))
    return folder


def _concept(system: str, code: Any) -> dict[str, Any]:
    coding = {"system": system, "code": str(code), "display": "LEAK display"}
    return {"coding": [coding], "text": "LEAK text", "extension": [_extension()]}


def _extension() -> dict[str, str]:
    return {"url": "http://x.org/LEAK", "valueString": "LEAK extension"}
