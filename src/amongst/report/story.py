"""Everything a report tells, as facts: no rows, no cell values of individuals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from amongst.report.lattice_view import LatticeView
from amongst.report.render import render
from amongst.report.views import ClassSizes, Distribution, PartitionView
from amongst.report.wording import count


@dataclass(frozen=True)
class ColumnFacts:
    """One line of the schema, in words."""

    name: str
    role: str
    kind: str | None = None
    weight: float = 1.0
    nulls: str | None = None
    hierarchy: str | None = None
    publish: str | None = None


@dataclass(frozen=True)
class Check:
    """What one model asked for, and what the verifier found in the published file.

    Attributes
    ----------
    words : str
        The model in a sentence, as its ``words()`` gives it.
    asked, reached : str
        The same as figures, such as ``"k = 10"`` and ``"k = 12"``.
    ok : bool
    asks : bool
        Not every table holds it, as every one holds k = 1.
    """

    words: str
    asked: str
    reached: str
    ok: bool
    asks: bool = True


@dataclass(frozen=True)
class SensitiveFacts:
    """How well the values of one sensitive column are hidden, in the worst class of the input and of the release.

    Attributes
    ----------
    column : str
    distance : str
        What t is measured with.
    before, after : mapping of str to float or None
        "Before" is empty in a public report: it needs the original.
        ``l_frequency``, ``l_distinct``, ``l_entropy``, ``l_recursive``, ``t``, ``beta``, ``delta``; None is not told.
    """

    column: str
    distance: str
    before: Mapping[str, float | None]
    after: Mapping[str, float | None]


@dataclass(frozen=True)
class Utility:
    """What the release lost. A figure that was not measured is None.

    Attributes
    ----------
    gcp, lm : float or None
        Between 0 (nothing lost) and 1 (nothing left).
    c_dm, c_avg : float or None
        Discernibility, and average group size over k.
    ncp : mapping of str to float
        Loss of every quasi-identifier, between 0 and 1.
    least_gcp : float or None
        The GCP that no grouping with this k can go below.
    least_is_exact : bool
        Or an estimate from a sample of the rows.
    cm : float or None
        Classification metric, where a target was given.
    """

    gcp: float | None = None
    c_dm: float | None = None
    c_avg: float | None = None
    lm: float | None = None
    ncp: Mapping[str, float] = field(default_factory=dict)
    least_gcp: float | None = None
    least_is_exact: bool = True
    cm: float | None = None

    @property
    def times_least(self) -> float | None:
        """How many times the least possible loss was lost; None where that is not known, or nothing."""
        return self.gcp / self.least_gcp if self.gcp is not None and self.least_gcp else None


@dataclass(frozen=True)
class AnalysisFacts:
    """One model of the user's own, fitted to the release and to what it was made of.

    Attributes
    ----------
    formula : str
    words : str
        How much of it is kept, or why it could not be fitted.
    headings, rows : tuple
        The table of coefficients.
    notes : tuple of str
    """

    formula: str
    words: str
    headings: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Story:
    """A release as a report tells it.

    Only the first block has to be given; what is left out is left out of the report.

    Attributes
    ----------
    title : str
    threshold : int
        Counts of rows below this are hidden wherever they would describe the input: the largest k asked for.
    n_rows, n_columns : int
        The size of the input; 0 in a public report, which does not tell it.
    n_published, n_groups, smallest, largest : int
        The size of the release, and of its groups, as the verifier counted them.
    checks : tuple of Check
    n_suppressed : int, str or None
        Left out, it is ``n_rows - n_published``. In words where it is not told exactly.
    input_name : str or None
    created : str or None
        A date in words. There is no default: the same release gives the same bytes.
    uniques_before, uniques_after : int or None
        Rows that were alone with their quasi-identifiers. Below the threshold, "before" is not told.
    asked : tuple of str
        What was asked, a sentence each. Left out, the words of the checks.
    columns : tuple of ColumnFacts
    method : str
    options : mapping of str to object
    seed : int or None
    unit : str or None
        The column that tells people apart, where people are counted and not rows.
    smallest_people : int or None
        The people of the smallest group, then.
    explanation, told_to_all : tuple of str
        What was done, a sentence for every stage; and as a public report tells it.
    utility : Utility
    sensitive : tuple of SensitiveFacts
        Every sensitive column, whatever was asked for.
    analyses : tuple of AnalysisFacts
        Models of the user's own, before and after; none in a public report.
    class_sizes : ClassSizes or None
    distributions : tuple of Distribution
        Raw: the report merges what is below the threshold.
    partition, shown_partition : PartitionView or None
        The groups over two columns; and over two whose labels tell the ends, for a public report.
    lattice : LatticeView or None
        All generalizations of a full-domain method, where they are few.
    check_sql : str
        A query that anyone can run on the published file to see what was proved: its last column says so.
    digests : mapping of str to str
        SHA-256 of every file of the release.
    versions : mapping of str to str
    caveats, assumptions : tuple of str
        What the release does not protect against, and what was taken for granted.
    for_the_maker : tuple of str
        Those of the caveats that a public report leaves out.

    Examples
    --------
    >>> from amongst.report import Check, Story
    >>> words = "Every row shares its values with 1 other (k = 2)."
    >>> check = Check(words=words, asked="k = 2", reached="k = 3", ok=True)
    >>> facts = {"n_rows": 6, "n_columns": 4, "n_published": 6, "n_groups": 2, "smallest": 3, "largest": 3}
    >>> story = Story(title="Patients", threshold=2, checks=(check,), **facts)
    >>> story.verdict, story.suppressed
    ('holds', 0)
    """

    title: str
    threshold: int
    n_rows: int
    n_columns: int
    n_published: int
    n_groups: int
    smallest: int
    largest: int
    checks: tuple[Check, ...] = ()

    n_suppressed: int | str | None = None
    input_name: str | None = None
    created: str | None = None
    uniques_before: int | None = None
    uniques_after: int | None = None
    asked: tuple[str, ...] = ()

    columns: tuple[ColumnFacts, ...] = ()
    method: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    seed: int | None = None
    unit: str | None = None
    smallest_people: int | None = None
    explanation: tuple[str, ...] = ()
    told_to_all: tuple[str, ...] = ()

    utility: Utility = field(default_factory=Utility)
    sensitive: tuple[SensitiveFacts, ...] = ()
    analyses: tuple[AnalysisFacts, ...] = ()
    class_sizes: ClassSizes | None = None
    distributions: tuple[Distribution, ...] = ()
    partition: PartitionView | None = None
    shown_partition: PartitionView | None = None
    lattice: LatticeView | None = None

    check_sql: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    caveats: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    for_the_maker: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        """``"holds"``, ``"fails"``, or ``"unchecked"`` when nothing was asked for that a table could fail."""
        if not any(check.asks for check in self.checks):
            return "unchecked"
        return "holds" if all(check.ok for check in self.checks) else "fails"

    @property
    def sensitive_alike(self) -> list[tuple[list[str], SensitiveFacts]]:
        """Sensitive columns with the same figures, told once."""
        told: dict[str, tuple[list[str], SensitiveFacts]] = {}
        for one in self.sensitive:
            key = repr((one.distance, dict(one.before or {}), dict(one.after)))
            told.setdefault(key, ([], one))[0].append(one.column)
        return list(told.values())

    @property
    def suppressed(self) -> int:
        """How many rows were left out; 0 where that is not told."""
        if isinstance(self.n_suppressed, int):
            return self.n_suppressed
        return self.n_rows - self.n_published if self.n_rows else 0

    @property
    def suppressed_words(self) -> str:
        """How many rows were left out, as closely as it is told."""
        if isinstance(self.n_suppressed, str):
            return f"{self.n_suppressed} suppressed"
        return f"{count(self.suppressed)} suppressed" if self.suppressed else "none suppressed"

    @property
    def asked_words(self) -> tuple[str, ...]:
        return self.asked or tuple(check.words for check in self.checks)

    def page(self) -> str:
        """The report as the text of one HTML file."""
        return render(self)

    @property
    def mean_size(self) -> float:
        return self.n_published / self.n_groups if self.n_groups else 0.0
