"""What comes out: the published table with its proof, its figures and its folder."""

from amongst.release.release import Release

__all__ = ["Release"]
