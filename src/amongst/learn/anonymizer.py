"""A transformer for scikit-learn: ``fit`` finds a recoding, ``transform`` does it to other rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.anonymize import anonymize
from amongst.errors import BadOption
from amongst.models import KAnonymity, Model
from amongst.recoding import Recoding
from amongst.schema.schema import Schema, as_schema

try:
    from sklearn.base import BaseEstimator, TransformerMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError:
    raise BadOption(
        "The transformer needs scikit-learn.", found="it is not installed", fix="pip install amongst[learn]"
    ) from None


class Anonymizer(TransformerMixin, BaseEstimator):
    """Recodes quasi-identifiers in a pipeline, row by row.

    What it gives has the rows in their order, so it is for models, not for publishing: write
    ``recoding_.transform(...)`` for a release.

    Parameters
    ----------
    schema : Schema, or dict of column name to role or Column
        A role for every column of the frames.
    models : sequence of privacy models
        What the classes hold on the rows that it is fitted on.
    method : str
    options : dict, optional
        Of the method.
    seed : int

    Attributes
    ----------
    recoding_ : Recoding
    release_ : Release
        Of the rows that it was fitted on.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> anonymizer = am.Anonymizer(patients.schema, [am.KAnonymity(2)]).fit(patients.table)
    >>> anonymizer.transform(patients.table).column("Age").to_pylist()[:2]
    ['[25-26]', '[25-26]']
    """

    def __init__(
        self,
        schema: Schema | Mapping[str, Any],
        models: Sequence[Model],
        method: str = "mondrian",
        options: Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        self.schema = schema
        self.models = models
        self.method = method
        self.options = options
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Anonymizer:  # scikit-learn's name
        """Find the recoding of a frame; ``y`` is not looked at."""
        release = anonymize(X, self.schema, list(self.models), self.method, seed=self.seed, **dict(self.options or {}))
        self.release_ = release
        self.recoding_ = Recoding.of(release)
        self.feature_names_out_ = list(release.plan.columns)
        return self

    def transform(self, X: Any) -> Any:
        """The rows in their order: quasi-identifiers recoded, identifiers gone, all else as it is.

        Rows that no class covers widen one; nothing is left out, and nothing is promised of a group in these rows.
        """
        import pyarrow as pa

        check_is_fitted(self, "recoding_")
        release = self.recoding_.transform(X, as_schema(self.schema), [KAnonymity(1)])
        plan, source = release.plan, release.source
        if release.coded.kept_rows is not None:
            raise BadOption(
                "A transformer keeps all rows, and the rule for nulls leaves some out.",
                found='nulls = "suppress"',
                fix='choose "own value" or "match anything"',
            )
        cells = plan.classes.take(pa.array(plan.class_of_row))
        made = {
            name: cells.column(name) if name in cells.column_names else source.table.column(name)
            for name in plan.columns
        }
        from amongst.engines.in_memory import plain_text

        return source.native(plain_text(pa.table(made), source.table))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns that come out."""
        import numpy as np

        check_is_fitted(self, "recoding_")
        return np.array(self.feature_names_out_, dtype=object)
