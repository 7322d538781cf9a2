"""The data sets by name, for ``load`` and for the ``amongst datasets`` command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from amongst.datasets.adult import ABOUT as ADULT
from amongst.datasets.adult import adult
from amongst.datasets.adult_like import ABOUT as ADULT_LIKE
from amongst.datasets.adult_like import adult_like
from amongst.datasets.census import ABOUT as CENSUS
from amongst.datasets.census import census
from amongst.datasets.dataset import About, Dataset
from amongst.datasets.discrete import SKEWED, UNIFORM, skewed, uniform
from amongst.datasets.incognito_patients import ABOUT as INCOGNITO_PATIENTS
from amongst.datasets.incognito_patients import incognito_patients
from amongst.datasets.lands_end import ABOUT as LANDS_END
from amongst.datasets.lands_end import lands_end
from amongst.datasets.patients import ABOUT as PATIENTS
from amongst.datasets.patients import patients
from amongst.datasets.wide import ABOUT as WIDE
from amongst.datasets.wide import wide
from amongst.errors import BadOption, refuse_unknown_word

DATASETS: dict[str, tuple[Callable[..., Dataset], About]] = {
    "adult": (adult, ADULT),
    "patients": (patients, PATIENTS),
    "incognito-patients": (incognito_patients, INCOGNITO_PATIENTS),
    "census": (census, CENSUS),
    "uniform": (uniform, UNIFORM),
    "skewed": (skewed, SKEWED),
    "adult-like": (adult_like, ADULT_LIKE),
    "wide": (wide, WIDE),
    "lands-end": (lands_end, LANDS_END),
}

BUNDLED = {"adult": 45_222, "patients": 6, "incognito-patients": 6}
"""The rows of the data sets that are not drawn at random."""


def names() -> list[str]:
    """The names that ``load`` knows.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.names()
    ['adult', 'patients', 'incognito-patients', 'census', 'uniform', 'skewed', 'adult-like', 'wide', 'lands-end']
    """
    return list(DATASETS)


def load(name: str, part: str | None = None, **options: Any) -> Dataset:
    """A data set by name, with its schema.

    Parameters
    ----------
    name : str
        One of ``names()``.
    part : {"train", "test"}, optional
        A part of ``adult``.
    **options
        What the generators take: ``n_rows``, ``seed`` and the like (see ``describe``).

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.load("adult")
    Dataset('adult', 45222 rows, 15 columns)
    >>> am.datasets.load("census", n_rows=1000, seed=7)
    Dataset('census', 1000 rows, 9 columns)
    """
    refuse_unknown_word(f"There is no data set {name!r}.", "name", name, DATASETS)
    if part is not None:
        options["part"] = part
    unknown = [option for option in options if option not in _options(name)]
    if unknown:
        raise BadOption(
            f"The data set {name!r} does not have every option that was given.",
            found="unknown: " + ", ".join(unknown),
            fix="use only: " + (", ".join(_options(name)) or "no options"),
        )
    make, _ = DATASETS[name]
    return make(**options)


def describe() -> list[dict[str, Any]]:
    """What there is, as plain data: name, summary, rows (by default), options with their defaults, licence.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.describe()[0]["name"]
    'adult'
    """
    return [_described(name) for name in DATASETS]


def _described(name: str) -> dict[str, Any]:
    options = _options(name)
    _, about = DATASETS[name]
    return {
        "name": name,
        "title": about.title,
        "rows": options.get("n_rows", BUNDLED.get(name)),
        "made": name not in BUNDLED,
        "options": options,
        "source": about.source,
        "licence": about.licence,
    }


def _options(name: str) -> dict[str, Any]:
    make, _ = DATASETS[name]
    parameters = inspect.signature(make).parameters
    return {option: parameter.default for option, parameter in parameters.items()}
