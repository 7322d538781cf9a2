"""Values as texts that can be compared, whichever kind of file they come from."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.meaning import meant_texts


def texts_of(values: pa.Array, missing: np.ndarray | None = None) -> list[str | None]:
    """Every value as text: 5.0 and 5 are the same, and so are a date and the midnight it begins with."""
    texts = meant_texts(values)
    if missing is not None and missing.any():
        texts = pc.if_else(pa.array(missing), pa.scalar(None, pa.string()), texts)
    return list(texts.to_pylist())
