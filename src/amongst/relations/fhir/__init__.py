"""FHIR resources as tables, and tables as FHIR resources again: only what is named in ``elements`` goes either way."""
