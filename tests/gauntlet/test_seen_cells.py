"""The gauntlet's own eye: it sees what is there, and nothing else."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
from seen_cells import looked_for, seen, texts_in


def test_names_are_seen_in_sets_sentences_and_tables(tmp_path):
    wanted = looked_for(["Aldrun Vexholm", "Zantowsky", "rows", "12", "Bexley"], ["Bexley"])
    assert sorted(wanted.values()) == ["Aldrun Vexholm", "Zantowsky"], "words of the program and of other columns"
    assert seen(wanted, "published as {abel,zantowsky,...}") == 1
    assert seen(wanted, "mail to aldrun.vexholm@example.org") == 1
    assert seen(wanted, "Aldrun and Vexholm are two others; 12 rows; Bexley") == 0
    pq.write_table(pa.table({"who": ["{Quarrendon,Zantowsky}"]}), tmp_path / "release.parquet")
    assert sum(seen(wanted, text) for _, text in texts_in(tmp_path)) == 1
