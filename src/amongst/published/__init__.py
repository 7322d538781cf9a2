"""How to read what was published: files, labels, classes. Shared by verify, query, attack and risk.

Imports errors, schema and models only; recode and engines never import it, so that an error of the writer is not undone
by the reader.
"""
