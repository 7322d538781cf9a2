"""The job file: any text gives a job or an error that says what to mend; a job is written as it was read."""

from __future__ import annotations

from invariant import Broken, result_or_own_error
from scratch import scratch_file

import amongst as am
from amongst.job.job import Job

COLUMNS = """
[columns.age]
role = "quasi"
kind = "numeric"
weight = 2.5
grid = 5
statistic = ["mean", "median"]
nulls = "own value"
[columns."zip code"]
role = "quasi"
hierarchy = { digits = 5 }
publish = "ancestor"
[columns.born]
role = "quasi"
hierarchy = { dates = ["month", "year"] }
[columns.grade]
role = "quasi"
kind = "ordered"
order = ["low", "mid", "high"]
[columns.land]
role = "quasi"
[columns.land.hierarchy.nested]
Europe = ["Italy", "France"]
[columns.pay]
role = "sensitive"
"""
PRIVACY = [
    'model = "k-anonymity"\nk = 5',
    'model = "l-diversity"\nl = 2\nsense = "entropy"\ncolumn = "pay"',
    'model = "l-diversity"\nl = 2\nsense = ["recursive", 1.5]',
    'model = "t-closeness"\nt = 0.2',
    'model = "alpha-k"\nalpha = 0.5\nk = 3',
    'model = "beta-likeness"\nbeta = 1.0\nenhanced = true',
    'model = "delta-disclosure"\ndelta = 1.0\nabsent = "counted"',
    'model = "proximity"\nl = 2\nwidth = 10',
    'model = "k-map"\nk = 5\npopulation = "everybody.csv"',
    'model = "delta-presence"\nlower = 0.0\nupper = 0.5\npopulation = "everybody.csv"',
    'model = "k-of-subsets"\nk = 5\nm = 2',
    "model = [1]\nk = 1e400",
]


def seeds() -> list[bytes]:
    start = '[input]\npath = "data.csv"\nnulls = ["NA"]\nseparator = ";"\nencoding = "utf-8"\n' + COLUMNS
    end = '[method]\nname = "mondrian"\nseed = 1\n[method.options]\ncuts = "ordered"\n'
    end += '[output]\nfolder = "out"\nformat = "csv"\nform = "bounds"\n'
    texts = [f"{start}[[privacy]]\n{model}\n{end}" for model in PRIVACY]
    texts += ["a = " + "[" * 2000, "a = " + "9" * 5000, 'input = 3\ncolumns = "x"\nprivacy = [1]', "\ufeff[input]\n"]
    texts += [
        '[input]\npath = "a\\u0000b"\nseparator = "é"\nencoding = "a\\u0000b"\n'
        + COLUMNS
        + '[[privacy]]\nmodel="k-anonymity"\nk=2\n'
    ]
    texts += ['[input]\npath = "x.csv"\nseparator = "\\n"\n' + COLUMNS + '[[privacy]]\nmodel="t-closeness"\nt=nan\n']
    return [text.encode() for text in texts]


def one(data: bytes) -> None:
    with scratch_file("job.toml", data) as path:
        result_or_own_error(lambda: am.Schema.from_file(path), may_show=True)
        job = result_or_own_error(lambda: Job.from_file(path), may_show=True)
    if job is not None:
        text = job.to_toml()
        with scratch_file("again.toml", text.encode()) as path:
            again = Job.from_file(path)
        if again.to_toml() != text:
            raise Broken("a job that changes when it is written and read")
