"""What a file stores where no cell shows it: bytes that nothing speaks of, values under nulls, attached entries."""

from __future__ import annotations

from amongst.published.finding import Finding
from amongst.published.source import Source, readable


def beside_cells(source: Source) -> list[Finding]:
    """Findings about stored bytes that no reader of the table sees."""
    findings = []
    if n_bytes := _n_unowned(source):
        findings.append(
            Finding(
                "unowned-bytes",
                "The file has bytes that belong to no column: nobody sees them, and everybody gets them.",
                f"{n_bytes:,} such bytes",
                "write the file anew from the published table",
            )
        )
    if names := _hiding(source):
        findings.append(
            Finding(
                "values-under-nulls",
                "The file stores values in places where the table shows none, such as under missing cells.",
                "columns " + ", ".join(f"'{name}'" for name in names),
                "write it as Parquet or CSV, which store no such values",
            )
        )
    return findings


def keys_beside(source: Source) -> list[str]:
    """The keys of what is attached to parts of a file, where its schema does not show them."""
    if source.arrow:
        from amongst.published.arrow_file import attached_keys as of_file
    elif source.dictionaries:
        from amongst.published.parquet_footer import hidden_keys as of_file
    else:
        return []
    with readable(source.name, "table"):
        return sorted({key for part in source.parts for key in of_file(part)})


def _n_unowned(source: Source) -> int:
    if source.arrow:
        from amongst.published.arrow_file import n_unread_bytes as of_file
    elif source.dictionaries:
        from amongst.published.parquet_footer import n_unowned_bytes as of_file
    else:
        return 0
    with readable(source.name, "table"):
        return sum(of_file(part) for part in source.parts)


def _hiding(source: Source) -> list[str]:
    if not source.arrow:
        return []
    from amongst.published.arrow_file import hiding_columns

    return [name for part in source.parts for name in hiding_columns(part, source.names)]
