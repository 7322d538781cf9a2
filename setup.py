"""Builds the compiled kernels; where there is no C++ compiler the package installs without them."""

import os
import sys

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel

FLAGS = ["/O2", "/std:c++17"] if sys.platform == "win32" else ["-O3", "-std=c++17", "-ffp-contract=off", "-fvisibility=hidden"]

kernels = Extension(
    "amongst.kernels._compiled",
    sources=["src/amongst/kernels/module.cpp"],
    depends=[f"src/amongst/kernels/{name}.h" for name in ("buffers", "records", "mondrian", "rows", "frequency")],
    extra_compile_args=FLAGS,
    define_macros=[("Py_LIMITED_API", "0x030B0000")],
    py_limited_api=True,
    optional=True,
)


class Abi3Wheel(bdist_wheel):
    """One wheel serves every Python from 3.11 on, because the kernels keep to the limited API."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("cp311", "abi3", platform) if python.startswith("cp") else (python, abi, platform)


without = os.environ.get("AMONGST_NO_COMPILER") == "1"
setup(ext_modules=[] if without else [kernels], cmdclass={"bdist_wheel": Abi3Wheel})
