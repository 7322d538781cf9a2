"""A driver on a cluster, as a process of its own: a release of a folder of files, and what goes wrong on the way.

cluster_driver.py ADDRESS FOLDER OUT TROUBLE [WORKERS]
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from spark_cluster import Cluster
from test_spark_flow import people

import amongst as am

SMALL = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "4",
    "spark.speculation": "true",  # of every task that takes longer than others a second one is started
    "spark.speculation.interval": "20ms",
    "spark.speculation.multiplier": "1.01",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.minTaskRuntime": "1ms",
    "spark.executor.extraJavaOptions": SMALL,
    "spark.driver.extraJavaOptions": SMALL,
}


def main(address: str, folder: str, out: str, trouble: str, *workers: str) -> None:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    builder = builder.remote("local[2]") if address == "connect" else builder.master(address)
    for key, value in {**SETTINGS, "spark.local.dir": f"{folder}/local"}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    victims = [Cluster(address, [int(one) for one in workers])] if trouble == "executor" else []

    def say(step: str, *_: int) -> None:
        if step == "write" and victims:
            print("ended", victims.pop().kill_an_executor())

    limits = {"memory": "200kB"} if trouble == "parts" else {}
    limits |= {"resume": True, "work": folder} if trouble in ("killed", "resumed") else {}
    asked = (people(10)[1], [am.KAnonymity(5)], "mondrian")
    release = am.anonymize(f"{folder}/people", *asked, engine="spark", session=session, **limits)
    if trouble == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    assert release.write(Path(folder) / out, step=say).ok
    print("parts", release.partition.facts.get("parts", 1))


if __name__ == "__main__":
    main(*sys.argv[1:])
