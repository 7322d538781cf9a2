"""Tables on a Spark cluster: counted and recoded by the executors, decided on in the driver."""

from amongst.engines.spark.session import started
from amongst.engines.spark.store import SparkStore

__all__ = ["SparkStore", "started"]
