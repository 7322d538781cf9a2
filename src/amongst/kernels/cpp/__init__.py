"""The kernels in C++, compiled by ``setup.py``."""
