"""A published table as the verifier sees it: names and types at once, rows when they are asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from amongst.errors import BadInput
from amongst.published.finding import Finding

Batches = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]
Counted = Callable[[Sequence[str]], Iterator[tuple[pa.RecordBatch, np.ndarray]]]


@dataclass(frozen=True, eq=False)
class Source:
    """Where the published rows come from.

    Attributes
    ----------
    name : str
        What messages call it: the file's name, or "the table".
    schema : pyarrow.Schema
        The columns as they are stored; text for every column of a CSV file.
    batches : callable
        ``batches(names)`` gives the rows of these columns, batch by batch, in the stored order.
    path : Path, optional
        The file, or the folder of files.
    parts : tuple of Path
        The files that the rows come from, in the order of the rows.
    separator : str, optional
        What stands between the cells of a text file.
    n_joined : callable, optional
        Of a text file whose metadata tell how it is to be read, so that ``batches`` gives cells in another writing: how
        many different cells of a column are one with another cell in that writing.
    dictionaries : bool
        Text may be stored as dictionaries although its type does not say so.
    arrow : bool
        An Arrow file: what lies under nulls is stored.
    notes : list of Finding
        What is worth knowing about the container, such as an index that lies beside the columns.
    counted : callable, optional
        Of a database that counts: ``counted(names)`` gives rows of these columns, batch by batch, and how many rows
        each of them stands for (int64).
    n_distinct : callable, optional
        Of a database: how many different values, null aside, a column has. Of one whose first rows repeat values
        it may count these rows only.
    head : callable, optional
        Where the first rows can be read by themselves: ``head(names, n)`` gives at most n of these columns.
    """

    name: str
    schema: pa.Schema
    batches: Batches
    path: Path | None = None
    parts: tuple[Path, ...] = ()
    separator: str | None = None
    n_joined: Callable[[str], int] | None = None
    dictionaries: bool = False
    arrow: bool = False
    notes: list[Finding] = field(default_factory=list)
    counted: Counted | None = None
    n_distinct: Callable[[str], int] | None = None
    head: Callable[[Sequence[str], int], pa.RecordBatch | None] | None = None

    @property
    def names(self) -> list[str]:
        return list(self.schema.names)


def refuse_duplicates(name: str, columns: Sequence[str]) -> None:
    """Raise when two columns have one name: nobody could say which of them is meant."""
    twice = [column for column, times in Counter(columns).items() if times > 1]
    if twice:
        raise BadInput(
            f"Columns of {name} cannot be told apart.",
            found="more than one column named: " + ", ".join(map(repr, twice)),
            fix="give every column a name of its own",
        )


@contextmanager
def readable(name: str, kind: str) -> Iterator[None]:
    """Turn what pyarrow raises into an error without its text, which may quote cells."""
    try:
        yield
    except FileNotFoundError:
        raise BadInput(f"There is no file {name}.", found="nothing at this path", fix="check the path") from None
    except IsADirectoryError:
        raise BadInput(f"{name} is a folder.", found="a folder", fix="name a file in it") from None
    except PermissionError:
        raise BadInput(f"{name} cannot be read.", found="no permission", fix="check its permissions") from None
    except (pa.ArrowException, OSError, EOFError, ValueError, LookupError, MemoryError, ArithmeticError) as error:
        # ValueError: names that are no UTF-8; MemoryError: a damaged file may ask for any amount of it
        raise BadInput(
            f"{name} cannot be read as {kind}.",
            found=f"{type(error).__name__} while reading",
            fix=f"check that it is a whole {kind} file and that its name ends as its content asks",
        ) from None


def sound(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch, once it is known not to point beyond its own bytes, as one of a damaged file may."""
    batch.validate(full=True)
    return batch
