"""A Spark session: the one that is given or active, else one that is made, and ended again."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from amongst.engines.spark.plain_errors import spoken
from amongst.errors import BadInput, BadOption

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OLDEST = (4, 1)
"""The first Spark that puts rows into partitions by number, which is how parts are laid out without a sample."""
DEFAULT_DRIVER_MEMORY = "1g"


@contextmanager
def started(session: SparkSession | None = None, memory: str | None = None) -> Iterator[SparkSession]:
    """The session to work in.

    A session that was given, or is active already, stays as it is and stays open. One that is made reads
    what ``spark-submit`` and ``spark-defaults.conf`` say; it keeps what it spills in a folder that only this
    user can read, and is stopped at the end.

    Parameters
    ----------
    session : SparkSession, optional
    memory : str, optional
        The heap of the driver, such as "4g", where a session is made.
    """
    spark = _spark_class()
    session = session if session is not None else spark.getActiveSession()
    if session is not None:
        if not hasattr(session, "createDataFrame"):
            raise BadOption(
                "This is not a Spark session.",
                found=f"session is a {type(session).__name__}",
                fix="give a SparkSession, or leave it out",
            )
        yield session
        return
    with tempfile.TemporaryDirectory(prefix="amongst-spark-", ignore_cleanup_errors=True) as folder:
        made = _make(spark, memory, folder)
        try:
            yield made
        finally:
            made.stop()


def _make(spark: Any, memory: str | None, folder: str) -> SparkSession:
    builder = spark.builder.appName("amongst")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": folder,
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.driver.maxResultSize": "0",  # how much comes back is limited by counting it first
    }
    if memory is not None:
        settings["spark.driver.memory"] = memory
    for key, value in settings.items():
        builder = builder.config(key, value)
    with spoken("Spark cannot be started", BadInput, fix="check that Java 17 or newer is installed (JAVA_HOME)"):
        made: SparkSession = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")  # its warnings may quote what rows hold
    return made


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


def driver_memory(session: SparkSession) -> int:
    """The heap of the driver in bytes, as it is configured."""
    return in_bytes(session.conf.get("spark.driver.memory", DEFAULT_DRIVER_MEMORY) or DEFAULT_DRIVER_MEMORY)


def in_bytes(size: str | int) -> int:
    """A size such as "512m" or "4GB" in bytes.

    Examples
    --------
    >>> from amongst.engines.spark.session import in_bytes
    >>> in_bytes("2g"), in_bytes("512MB")
    (2147483648, 536870912)
    """
    text = str(size).strip().lower().removesuffix("b").removesuffix("i")
    unit = {"k": 10, "m": 20, "g": 30, "t": 40}.get(text[-1:], 0)
    try:
        number = float(text[:-1] if unit else text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise BadOption("The memory limit is not a size.", found=f"memory = {size!r}", fix='use a size such as "4GB"')
    return int(number * (1 << unit))
