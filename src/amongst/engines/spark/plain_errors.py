"""What Spark throws, as errors of amongst: no Java stack, and none of its texts, which may quote cells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from amongst.errors import AmongstError, BadInput, BadOption, BadOutput

GONE = (
    "stopped SparkContext",
    "SparkContext was shut down",
    "Answer from Java side is empty",
    "SESSION_CLOSED",
    "Connection refused",
    "An error occurred while trying to connect",
    "Error while sending or receiving",
)
SESSION_GONE = ("the Spark session is gone", "start a new session and run again")
CUT_OFF = ("Py4JError", "Py4JNetworkError")
"""What Py4J raises where Java does not answer; errors of Java itself have other names."""
KNOWN: list[tuple[tuple[str, ...], str, str]] = [
    (("TABLE_OR_VIEW_NOT_FOUND", "Table or view not found"), "no table of this name", "check the name of the table"),
    (("PATH_NOT_FOUND", "FileNotFoundException"), "no file at this path", "check the path"),
    (("UNABLE_TO_INFER_SCHEMA",), "no rows in any format it knows", "check the path and the kind of file"),
    (
        ("COLUMN_ALREADY_EXISTS", "AMBIGUOUS_REFERENCE"),
        "columns whose names differ in upper and lower case alone",
        "rename them: Spark takes them for one",
    ),
    (
        ("PARQUET_TYPE_ILLEGAL", "Illegal Parquet type"),
        "a type that Spark does not read from Parquet, such as times in nanoseconds or half floats",
        "write times in microseconds and floats as they are usual, or leave such columns out of the file",
    ),
    (("ALREADY_EXISTS",), "there is something already", "choose another name or place"),
    (
        ("AccessControlException", "Permission denied", "INSUFFICIENT_PERMISSIONS", "AccessDenied"),
        "missing rights",
        "ask for the right to read the table and to write the release",
    ),
    (
        ("maxResultSize",),
        "the frequency set is larger than spark.driver.maxResultSize",
        "raise spark.driver.maxResultSize",
    ),
    (("No space left on device", "Disk quota"), "a disk is full", "make room, or set spark.local.dir to a larger disk"),
    (
        (
            "broadcast the table",
            "BROADCAST_TABLE",
            "execute broadcast in",
            "OutOfMemoryError",
            "Java heap space",
            "GC overhead limit",
            "UNABLE_TO_ACQUIRE_MEMORY",
            "exceeding memory limits",
            "exit code 137",
            "exit code 52",
        ),
        "a process ran out of memory",
        "raise spark.driver.memory or spark.executor.memory, or lower the cores of an executor",
    ),
    (
        ("MALFORMED_RECORD_IN_PARSING", "MALFORMED_CSV_RECORD", "Malformed"),
        "rows with too few or too many cells",
        "mend these rows; a cell that holds the separator needs quotes",
    ),
    (GONE, *SESSION_GONE),
    (
        ("ModuleNotFoundError", "ImportError"),
        "the Python of the executors lacks a module",
        "install amongst on all machines, and name that Python with PYSPARK_PYTHON or spark.pyspark.python",
    ),
    (("FAILED_READ_FILE", "CANNOT_READ_FILE"), "a file that cannot be read", "check that the files are whole"),
    (
        ("ExecutorLost", "Task not serializable", "Lost task", "stage failure", "FetchFailed", "Python worker exited"),
        "a task failed as often as spark.task.maxFailures allows",
        "look at the logs of the executors; run again",
    ),
]


@contextmanager
def spoken(what: str, kind: type[AmongstError] = BadInput, fix: str = "") -> Iterator[None]:
    """Turn what Spark raises within the block into an error of ``kind`` that says what, found, fix."""
    try:
        yield
    except AmongstError:
        raise
    except Exception as error:
        if not _is_sparks(error):
            raise
        found, known_fix = _found(error)
        if found.startswith("a disk is full"):
            kind = BadOutput
        elif "maxResultSize" in found or "out of memory" in found:
            kind = BadOption
        raise kind(f"{what}.", found=found, fix=fix or known_fix) from None


def _is_sparks(error: Exception) -> bool:
    module = type(error).__module__
    return module.startswith(("pyspark", "py4j", "grpc")) or isinstance(error, (ConnectionError, EOFError))


def _found(error: Exception) -> tuple[str, str]:
    if type(error).__name__ in CUT_OFF or isinstance(error, (ConnectionError, EOFError)):
        return SESSION_GONE
    text = _text(error)
    for signs, found, fix in KNOWN:
        if any(sign in text for sign in signs):
            return found, fix
    condition = _condition(error)
    return f"{type(error).__name__}{f' ({condition})' if condition else ''}", "look at the logs of Spark"


def _condition(error: Exception) -> str:
    """Spark's name for the kind of error: words in capitals, never a value."""
    for way in ("getCondition", "getErrorClass"):
        ask = getattr(error, way, None)
        try:
            name = ask() if ask is not None else None
        except Exception:  # the other side may be gone
            continue
        if isinstance(name, str) and name.replace("_", "").replace(".", "").isalnum():
            return name
    return ""


def _text(error: Exception) -> str:
    """All that is said, to look for signs in; it is never shown."""
    try:
        return f"{type(error).__name__} {_condition(error)} {error}"
    except Exception:  # the text of an error of Java is fetched from Java, which may be gone
        return f"{type(error).__name__} Answer from Java side is empty"
