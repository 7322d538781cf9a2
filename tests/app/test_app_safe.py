"""Who may reach the app, what it may touch, and what is left of it."""

from __future__ import annotations

import base64
import os
import signal
import socket
import stat
import time
from pathlib import Path
from typing import Any

import pytest
from app_process import App, Tab, begin, running

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')

PAGES = ("/", "/roles", "/_nicegui/components", "/assets/style.css", "/download/release.zip", "/_nicegui_ws/socket.io/")


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_served_without_the_token(app: App, path: str) -> None:
    assert app.ask(path).status == 403
    assert app.ask(f"{path}?token=wrong").status == 403
    assert app.ask(path, Cookie=f"amongst-{app.port}=wrong").status == 403
    assert app.ask(path, Cookie=app.cookie).status != 403


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(app: App) -> None:
    let_in = app.ask(f"/?token={app.token}")
    cookie = let_in.getheader("Set-Cookie") or ""
    assert let_in.status == 200
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}
    assert app.token not in let_in.read().decode()


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""])
def test_other_names_for_this_machine_are_refused(app: App, host: str) -> None:
    assert app.ask("/", Host=host, Cookie=app.cookie).status == 403


@pytest.mark.parametrize(
    "told",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_other_pages_are_refused(app: App, told: dict[str, str]) -> None:
    assert app.ask("/", Cookie=app.cookie, **told).status == 403
    assert app.ask("/upload/table?name=a.csv", "PUT", b"a\n1\n", Cookie=app.cookie, **told).status == 403


def test_a_link_with_the_token_may_be_clicked_anywhere_but_not_fetched(app: App) -> None:
    clicked = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    fetched = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "cors", "Sec_Fetch_Dest": "empty"}
    framed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
    assert app.ask(f"/?token={app.token}", **clicked).status == 200
    assert app.ask(f"/?token={app.token}", **fetched).status == 403
    assert app.ask(f"/?token={app.token}", **framed).status == 403


def shake_hands(app: App, **headers: str) -> str:
    """The first line of the answer to a web socket."""
    key = base64.b64encode(os.urandom(16)).decode()
    told = {
        "Host": f"127.0.0.1:{app.port}",
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Version": "13",
        **headers,
    }
    lines = ["GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1", *(f"{a}: {b}" for a, b in told.items())]
    with socket.create_connection(("127.0.0.1", app.port), timeout=10) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return connection.recv(100).decode(errors="replace").splitlines()[0]


def test_web_sockets_are_checked_as_well(app: App) -> None:
    here = f"http://127.0.0.1:{app.port}"
    assert "101" in shake_hands(app, Cookie=app.cookie, Origin=here)
    assert "403" in shake_hands(app, Origin=here)
    assert "403" in shake_hands(app, Cookie=app.cookie, Origin="http://evil.example")
    assert "403" in shake_hands(app, Cookie=app.cookie, Host="evil.example")


def test_only_this_machine_can_reach_it(app: App) -> None:
    addresses = (
        {line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]}
        if os.path.exists("/proc/net/tcp")
        else {f"0100007F:{app.port:04X}"}
    )
    assert {one for one in addresses if one.endswith(f":{app.port:04X}")} == {f"0100007F:{app.port:04X}"}


@pytest.mark.parametrize(
    "path", ["/assets/../start.py", "/assets/%2e%2e/start.py", "/assets/..%2fstart.py", "/assets//etc/passwd"]
)
def test_no_file_outside_is_served(app: App, path: str) -> None:
    answer = app.ask(path, Cookie=app.cookie)
    assert answer.status in (404, 200)
    assert b"def start" not in (content := answer.read())
    assert b"root:" not in content


def test_uploads_stay_in_the_session_and_below_the_limit(tmp_path: Path) -> None:
    with running(tmp_path, "--upload-limit", "0.001") as app:
        (session,) = app.sessions
        assert stat.S_IMODE(session.stat().st_mode) == 0o700
        sent = app.ask("/upload/population?name=../../../outside.csv", "PUT", b"age\n1\n", Cookie=app.cookie)
        assert sent.status == 200
        assert not list(tmp_path.rglob("outside.csv"))  # and not kept either: there is no table yet
        large = b"x" * (2 * 2**20)
        assert app.ask("/upload/table?name=large.csv", "PUT", large, Cookie=app.cookie).status == 413
        assert not list(session.rglob("large.csv"))


def test_nothing_is_left_when_it_ends_nor_after_a_crash(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,zip\n" + "\n".join(f"{20 + i % 9},5370{i % 9}" for i in range(200)))
    app = begin(tmp_path, "people.csv")
    (session,) = app.sessions
    workers = _children(app.process.pid)
    for _ in range(100):
        if workers := _children(app.process.pid):
            break
        time.sleep(0.1)
    app.process.send_signal(signal.SIGKILL)
    app.process.wait(10)
    assert session.exists()
    assert all(_is_gone(worker) for worker in workers)
    with running(tmp_path) as again:
        assert session not in again.sessions
        assert len(again.sessions) == 1
    assert again.sessions == []
    assert again.process.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.err", "people.csv", "tmp"]


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _is_gone(pid: int) -> bool:
    for _ in range(100):
        try:
            if Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.1)
    return False


def test_closing_from_the_page_ends_it(tmp_path: Path, browser: Any) -> None:
    with running(tmp_path) as app:
        tab = Tab(browser, app, "close").open()
        tab.page.get_by_role("button", name="Close amongst").click()
        tab.page.get_by_role("button", name="Close and forget").wait_for()
        tab.shot("ask")
        tab.page.get_by_role("button", name="Close and forget").click()
        assert app.process.wait(15) == 0
        assert app.sessions == []


def test_a_page_without_the_token_says_so(app: App, browser: Any) -> None:
    tab = Tab(browser, app, "refused")
    tab.page.goto(f"http://127.0.0.1:{app.port}/")
    tab.sees("This page is not open to you")
    tab.shot("page")
