"""The levels of a hierarchy in words, without a value of the column."""

from __future__ import annotations

from collections.abc import Sequence

from amongst.schema.hierarchy import Hierarchy
from amongst.schema.recipes.dates import Dates
from amongst.schema.recipes.fanout import Fanout
from amongst.schema.recipes.intervals import Intervals
from amongst.schema.recipes.masks import Digits, Prefix

AS_IT_IS, TOGETHER = "as it is", "one value for all"


def level_words(hierarchy: Hierarchy | None, n_nodes: Sequence[int], *, null_apart: bool = False) -> list[str]:
    """What is published at every level, given how many different values a level has.

    Levels that the recipe does not speak of (a hierarchy from a file) are told by that number.

    Parameters
    ----------
    null_apart : bool
        Whether a missing value hangs beside the tree: it makes one level more, where all others are together.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.schema.level_words import level_words
    >>> level_words(am.Hierarchy.intervals([5, 10]), [74, 15, 8, 1])
    ['as it is', 'ranges of 5', 'ranges of 10', 'one value for all']
    """
    between = _recipe_words(hierarchy)
    words = [f"{n:,} values" if n > 1 else "one value" for n in n_nodes]
    for level in range(1, min(len(between), len(words) - 1) + 1):
        words[level] = between[level - 1]
    if null_apart and len(words) > 2:
        words[-2] = TOGETHER + ", missing ones apart"
    words[-1] = TOGETHER
    words[0] = AS_IT_IS
    return words


def _recipe_words(hierarchy: Hierarchy | None) -> list[str]:
    """The levels between the values and the root, where the recipe says what they are."""
    recipe = None if hierarchy is None else hierarchy.recipe
    if isinstance(recipe, Intervals):
        return [f"ranges of {width:g}" for width in recipe.widths]
    if isinstance(recipe, Digits):
        return [f"{kept} of {recipe.n} digits" for kept in range(recipe.n - 1, 0, -1)]
    if isinstance(recipe, Prefix):
        return [f"first {keep} characters" if keep > 1 else "first character" for keep in recipe.keeps]
    if isinstance(recipe, Dates):
        return [part for part in recipe.parts if part != "day"]
    if isinstance(recipe, Fanout):
        return [f"up to {recipe.n**level:,} together" for level in range(1, 64)]
    return []
