"""Values as texts that can be compared, whichever kind of file they come from."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def texts_of(values: pa.Array, missing: np.ndarray | None = None) -> list[str | None]:
    """Every value as text: 5.0 and 5 are the same, and so are a date and the midnight it begins with."""
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    texts = values.cast(pa.string())
    if pa.types.is_floating(values.type) or pa.types.is_decimal(values.type):
        texts = pc.replace_substring_regex(texts, r"\.0*$", "")
    elif pa.types.is_timestamp(values.type):
        texts = pc.replace_substring_regex(texts, r"[ T]00:00:00(\.0+)?$", "")
    if missing is not None and missing.any():
        texts = pc.if_else(pa.array(missing), pa.scalar(None, pa.string()), texts)
    return list(texts.to_pylist())
