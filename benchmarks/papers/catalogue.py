"""The papers and their experiments by name."""

from __future__ import annotations

from importlib import import_module

from amongst.errors import BadOption
from benchmarks.papers.experiment import Experiment

PAPERS = {
    "mondrian": "LeFevre, DeWitt, Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006",
    "fast": "Ghinita, Karras, Kalnis, Mamoulis, Fast Data Anonymization with Low Information Loss, VLDB 2007",
    "incognito": "LeFevre, DeWitt, Ramakrishnan, Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005",
    "multirelational": "Nergiz, Clifton, Nergiz, MultiRelational k-Anonymity, TKDE 2009",
    "utility": "Xu, Wang, Pei, Wang, Shi, Fu, Utility-Based Anonymization Using Local Recoding, KDD 2006",
}


def experiments(paper: str | None = None) -> list[Experiment]:
    """The experiments of a paper, or of all.

    Examples
    --------
    >>> from benchmarks.papers import experiments
    >>> [one.name for one in experiments("multirelational")]
    ['multirelational-4', 'multirelational-5', 'multirelational-6']
    """
    names = [paper] if paper is not None else list(PAPERS)
    return [one for name in names for one in import_module(f"benchmarks.papers.{name}").EXPERIMENTS]


def find(name: str) -> list[Experiment]:
    """The experiments that a name stands for: one, those of a paper, or ``all``.

    Examples
    --------
    >>> from benchmarks.papers import find
    >>> find("mondrian-10")[0].figure
    '10'
    """
    if name == "all":
        return experiments()
    if name in PAPERS:
        return experiments(name)
    paper = name.partition("-")[0]
    found = [one for one in experiments(paper) if one.name == name] if paper in PAPERS else []
    if not found:
        raise BadOption(
            "There is no such experiment.",
            found=f"{name!r}",
            fix="use a name of 'amongst papers list', a paper (" + ", ".join(PAPERS) + "), or all",
        )
    return found
