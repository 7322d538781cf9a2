"""Tables on a Spark cluster: counted and recoded by the executors, decided on in the driver."""

from amongst.engines.spark.anonymize import anonymize_spark
from amongst.engines.spark.session import Started
from amongst.engines.spark.store import SparkStore

__all__ = ["SparkStore", "Started", "anonymize_spark"]
