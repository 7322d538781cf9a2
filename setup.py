"""Builds the compiled kernels; where there is no C++ compiler the package installs without them."""

import os
import sys

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext

FLAGS = (
    ["/O2", "/std:c++17"]
    if sys.platform == "win32"
    else ["-O3", "-std=c++17", "-ffp-contract=off", "-fvisibility=hidden"]
)

NO_FASTER_AT_O3 = ("module", "conditions_module", "cuts_module", "relations_module", "one_dimensional_module")
"""Measured: these run as fast at -O2, and compile in six tenths of the time."""

HEADERS = {  # the headers each extension is made of, so that it is built anew when one changes; the slowest first
    "module": ("_compiled", "buffers records conditions conditions_of mondrian rows frequency"),
    "cluster_module": ("_cluster", "buffers records price conditions conditions_of gain_split refine sweep"),
    "utility_module": (
        "_utility",
        "buffers priced_columns price pair_price weighed_groups top_down as_printed kth_nearest conditions"
        " gain_split refine",
    ),
    "conditions_module": ("_conditions", "buffers conditions conditions_of"),
    "cuts_module": ("_cuts", "buffers cuts"),
    "diverse_module": ("_diverse", "buffers price priced_columns diverse_runs join_runs"),
    "few_columns_module": ("_few_columns", "buffers few_columns"),
    "one_dimensional_module": ("_one_dimensional", "buffers price priced_columns hilbert key_sort nearest interval_dp"),
    "relations_module": (
        "_relations",
        "buffers bitmaps entity_trees split_trees stream_clusters tree_diversity tree_pairing tree_space",
    ),
    "search_module": ("_search", "buffers conditions conditions_of published_price pool pool_search dual_bound"),
    "text_module": ("_text", "buffers cells"),
    "target_module": ("_target", "buffers price priced_columns conditions conditions_of target_split"),
}


def extension(source: str) -> Extension:
    name, headers = HEADERS[source]
    return Extension(
        f"amongst.kernels.cpp.{name}",
        sources=[f"src/amongst/kernels/cpp/{source}.cpp"],
        depends=[f"src/amongst/kernels/cpp/{header}.h" for header in headers.split()],
        extra_compile_args=["-O2" if flag == "-O3" and source in NO_FASTER_AT_O3 else flag for flag in FLAGS],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
        optional=True,
    )


class InParallel(build_ext):
    """Every extension in a compiler of its own, as many at a time as there are cores; the longest begin first."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or True


class Abi3Wheel(bdist_wheel):
    """One wheel serves every Python from 3.11 on, because the kernels keep to the limited API."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("cp311", "abi3", platform) if python.startswith("cp") else (python, abi, platform)


without = os.environ.get("AMONGST_NO_COMPILER") == "1"
setup(
    ext_modules=[] if without else [extension(source) for source in HEADERS],
    cmdclass={"bdist_wheel": Abi3Wheel, "build_ext": InParallel},
)
