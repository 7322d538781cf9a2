"""l-diversity of many counts at once, as an intruder works it out."""

from __future__ import annotations

import numpy as np

from amongst.models import LDiversity


def diverse(counts: np.ndarray, model: LDiversity) -> np.ndarray:
    """Whether counts of values, along the last axis, are l-diverse in the sense of the model."""
    total = counts.sum(axis=-1)
    if model.kind == "distinct":
        return np.asarray((counts > 0).sum(axis=-1) >= model.l)
    if model.kind == "frequency":
        return np.asarray(counts.max(axis=-1) * model.l <= total * (1 + 1e-12))
    if model.kind == "entropy":
        share = counts / np.maximum(total, 1)[..., None]
        entropy = -(share * np.log(np.where(share > 0, share, 1.0))).sum(axis=-1)
        return np.asarray(entropy >= np.log(model.l) - 1e-12)
    largest = -np.sort(-counts, axis=-1)
    rest = largest[..., int(model.l) - 1 :].sum(axis=-1)
    return np.asarray(largest[..., 0] < (model.c or 1.0) * rest)
