"""A Spark session: the one that is given or active, else one that is made, and ended again."""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
from typing import TYPE_CHECKING, Any

from amongst.engines.spark.plain_errors import spoken
from amongst.engines.work import Work
from amongst.errors import BadInput, BadOption

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST = (4, 1)
"""The first Spark that puts rows into partitions by number, which is how parts are laid out without a sample."""
DEFAULT_DRIVER_MEMORY = "1g"
LEAST_HEAP = 512
"""Megabytes, without which Spark does not start."""


class Started:
    """The session to work in, until it is closed.

    A session that was given, or is active already, stays as it is and stays open. One that is made reads what
    ``spark-submit`` and ``spark-defaults.conf`` say; it keeps what it spills in a folder that only this user can read,
    and is stopped when it is closed, or when nobody needs it any more.

    Parameters
    ----------
    session : SparkSession, optional
    memory : int, optional
        Bytes for the heap of the driver, where a session is made.
    work : path, optional
        Where the folder for what is spilled is made.
    """

    def __init__(
        self,
        session: SparkSession | None = None,
        memory: int | None = None,
        work: str | os.PathLike[str] | None = None,
    ) -> None:
        spark = _spark_class()
        given = session if session is not None else spark.getActiveSession()
        stack = contextlib.ExitStack()
        self.made = given is None
        self.place: Work | None = None
        if given is None:
            self.place = Work(work)  # it goes when nobody holds it
            stack.callback(self.place.close)
            given = _make(spark, memory, str(self.place.folder))
            stack.callback(_stop, given)
        elif not hasattr(given, "createDataFrame"):
            raise BadOption(
                "This is not a Spark session.",
                found=f"session is a {type(session).__name__}",
                fix="give a SparkSession, or leave it out",
            )
        self.session: SparkSession = given
        self.close = weakref.finalize(self, stack.close)


def _make(spark: Any, memory: int | None, folder: str) -> SparkSession:
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # Spark would take whatever "python3" is
    builder = spark.builder.appName("amongst")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.driver.maxResultSize": "0",  # how much comes back is limited by counting it first
    }
    if memory is not None:
        settings["spark.driver.memory"] = f"{max(memory >> 20, LEAST_HEAP)}m"
    for key, value in settings.items():
        builder = builder.config(key, value)
    with spoken("Spark cannot be started", BadInput, fix="check that Java 17 or newer is installed (JAVA_HOME)"):
        made: SparkSession = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")  # its warnings may quote what rows hold
    return made


def _stop(session: SparkSession) -> None:
    with contextlib.suppress(Exception):  # it may be gone already
        session.stop()


def _spark_class() -> Any:
    try:
        import pyspark
        from pyspark.sql import SparkSession
    except ImportError:
        raise BadInput("Spark is not installed.", found="no pyspark", fix="pip install 'amongst[spark]'") from None
    version = tuple(int(part) for part in pyspark.__version__.split(".")[:2])
    if version < OLDEST:
        raise BadInput(
            "This Spark is too old.",
            found=f"pyspark {pyspark.__version__}",
            fix="use Spark {}.{} or newer".format(*OLDEST),
        )
    return SparkSession


def is_connect(session: Any) -> bool:
    """Whether only a server is spoken to (Spark Connect), and no Java of this machine."""
    return type(session).__module__.startswith("pyspark.sql.connect")


def known_cores(session: SparkSession) -> int | None:
    """How many cores the cluster has, where that can be asked."""
    return None if is_connect(session) else int(session.sparkContext.defaultParallelism)


def driver_memory(session: SparkSession) -> int:
    """The heap of the driver in bytes, as it is configured."""
    return _in_bytes(session.conf.get("spark.driver.memory", DEFAULT_DRIVER_MEMORY) or DEFAULT_DRIVER_MEMORY)


def _in_bytes(size: str) -> int:
    """A size as Spark writes it: "512m", "4g"; megabytes where there is no unit."""
    text = size.strip().lower().removesuffix("b")
    unit = {"k": 10, "m": 20, "g": 30, "t": 40}.get(text[-1:])
    return int(text) << 20 if unit is None else int(text[:-1]) << unit
