"""How well a model predicts after learning from a release, with the original beside it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadInput, BadOption
from amongst.learn.by_group import predict_by_group
from amongst.learn.features import Encoding, Examples
from amongst.query.in_memory import open_in_memory
from amongst.query.open_release import open_original

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.release import Release


@dataclass(frozen=True)
class Classification:
    """Accuracies on rows that neither model has seen.

    Attributes
    ----------
    target : str
    majority : float
        Of who always says what is most frequent among the rows to learn from.
    original, released : float
        Of a model that learned from the original, and of one that learned from the release.
    by_group : float
        Of who looks up the groups that a row falls into, and says what is most frequent there.
    cm : float
        The classification metric of the release that was learned from; 0 is best.
    n_learned, n_predicted : int
        Rows of the original to learn from, and rows to predict.
    """

    target: str
    majority: float
    original: float
    released: float
    by_group: float
    cm: float
    n_learned: int
    n_predicted: int

    @property
    def words(self) -> str:
        """One sentence."""
        return (
            f"of {self.n_predicted:,} rows not seen before, a model predicts {self.target!r} right in "
            f"{self.released:.1%} after learning from the release, {self.original:.1%} from the original, "
            f"{self.majority:.1%} from nothing but what is most frequent; "
            f"looking up groups is right in {self.by_group:.1%}"
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def classification(
    release: Release,
    target: str | None = None,
    *,
    held_out: Any = None,
    share: float = 0.3,
    model: Any = None,
    seed: int = 0,
) -> Classification:
    """Train a model on a release and one on its original, and let both predict rows that they have not seen.

    Needs scikit-learn: ``pip install amongst[learn]``.

    Parameters
    ----------
    release : Release
        What ``anonymize`` gave.
    target : str, optional
        The column to predict, sensitive or kept; left out, the release's own target.
    held_out : table, optional
        Rows of the same kind that are not in the release. Left out, a part of the original is drawn by lot and
        the rest is anonymized again in the same way: rows that a model learned from say nothing about it.
    share : float
        How large that part is.
    model : scikit-learn classifier, optional
        One whose ``fit`` takes ``sample_weight``. Left out, logistic regression. It is not changed.
    seed : int
        Of the lots, and of the model that is used if none is given.

    Returns
    -------
    Classification

    Notes
    -----
    A range is learned from as the middle of it; an ancestor or a set of names is divided evenly among them.

    Examples
    --------
    >>> import amongst as am
    >>> adult = am.datasets.load("adult")
    >>> release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(50)], target="salary-class")
    >>> found = am.classification(release)  # doctest: +SKIP
    >>> found.majority < found.released < found.original  # doctest: +SKIP
    True
    """
    target = _target(release, target)
    _cm(release, target)  # refuses what cannot be a target before anything is learned
    model = _model(seed) if model is None else model
    if held_out is None:
        release, unseen = _divided(release, share, seed)
    else:
        from amongst.read import read

        unseen = read(held_out).table
    before = open_original(release.source.table, release.schema)
    encoding = Encoding.of(before, release.schema.quasi, target)
    if not encoding.values[target]:
        raise BadInput(
            f"There is nothing to predict of '{target}'.",
            found="no values that can be told apart",
            fix="predict another column",
        )
    learned = encoding.examples(before)
    opened = open_in_memory(release)
    published, plain = encoding.examples(opened), open_original(unseen, release.schema)
    test = encoding.examples(plain)
    return Classification(
        target=target,
        majority=_share_of(test, np.full(len(test.classes), _most_frequent(learned))),
        original=_share_of(test, _predicted(model, learned, test)),
        released=_share_of(test, _predicted(model, published, test)),
        by_group=_share_of(test, predict_by_group(opened, plain, encoding, _most_frequent(learned))),
        cm=_cm(release, target),
        n_learned=int(learned.weight.sum()),
        n_predicted=int(test.weight.sum()),
    )


def _target(release: Release, target: str | None) -> str:
    if release.is_pair:
        raise BadOption(
            "A model cannot be trained on two tables.", found=f"method = {release.method!r}", fix="generalize instead"
        )
    if target is None and release.target is None:
        raise BadOption("There is no column to predict.", found="no target", fix='give one: target="salary-class"')
    return target or release.target or ""


def _model(seed: int) -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise BadOption(
            "A model needs scikit-learn.", found="it is not installed", fix="pip install amongst[learn]"
        ) from None
    return LogisticRegression(max_iter=1000, random_state=seed)


def _divided(release: Release, share: float, seed: int) -> tuple[Release, pa.Table]:
    """The same anonymization of a part of the rows, and the other rows; people are not divided."""
    from amongst.anonymize import anonymize

    table = release.source.table
    if not isinstance(share, float) or not 0 < share < 1:
        raise BadOption("A part of the rows must be left to predict.", found=f"share = {share!r}", fix="use 0.3")
    rng = np.random.default_rng(seed)
    if release.unit is None:
        drawn = rng.random(table.num_rows) < share
    else:
        person = table.column(release.unit).combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
        drawn = (rng.random(int(person.max(initial=0)) + 1) < share)[person.astype(np.int64)]
    if drawn.all() or not drawn.any():
        raise BadInput("The table is too small to leave rows out.", found=f"{len(drawn)} rows", fix="give held_out")
    settings: dict[str, Any] = {"seed": release.seed, "unit": release.unit, "form": release.form}
    settings |= {"target": release.target, "workload": release.workload}
    again = anonymize(
        table.filter(~drawn), release.schema, release.models, release.method, **settings, **release.options
    )
    return again, table.filter(drawn)


def _cm(release: Release, target: str) -> float:
    from amongst.encode.target import encode_target
    from amongst.measure.utility import cm_of

    column = encode_target(release.source.table, release.schema, target, release.coded.kept_rows)
    return cm_of(release.coded, release.plan, column)


def _most_frequent(learned: Examples) -> int:
    return int(np.bincount(learned.classes, learned.weight).argmax())


def _predicted(model: Any, learned: Examples, test: Examples) -> np.ndarray:
    from sklearn.base import clone

    if len(np.unique(learned.classes)) < 2:
        return np.full(len(test.classes), _most_frequent(learned))
    own = clone(model)
    own.fit(learned.features, learned.classes, sample_weight=learned.weight)
    return np.asarray(own.predict(test.features))


def _share_of(test: Examples, predicted: np.ndarray) -> float:
    right = test.weight[predicted == test.classes].sum()
    return float(right / max(int(test.weight.sum()), 1))
