"""Limits in the editor of a column: for what is published, gone with a role that has none."""

from __future__ import annotations

import pytest

import amongst as am
from amongst.app.steps.roles import set_role


@pytest.mark.parametrize(
    ("role", "stay"), [("sensitive", True), ("keep", True), ("identifier", False), ("weight", False)]
)
def test_limits_follow_the_role(role: str, stay: bool) -> None:
    fields = {"role": "quasi", "finest": 5, "top": 90, "bottom": 17}
    set_role(fields, role)
    assert ("top" in fields, "bottom" in fields, "finest" in fields) == (stay, stay, stay)
    assert am.Column(**fields).role == role
