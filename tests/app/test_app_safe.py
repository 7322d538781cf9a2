"""Who may reach the app, what it may touch, and what is left of it."""

from __future__ import annotations

import base64
import json
import os
import signal
import socket
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from app_process import PATIENCE, App, Tab, begin, running

from amongst.app.policy import inline_scripts

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One app for all tests of this file: they look at who is let in, and none of them loads a table."""
    with running(tmp_path_factory.mktemp("app")) as started:
        yield started


PAGES = ("/", "/roles", "/_nicegui/components", "/assets/style.css", "/download/release.zip", "/_nicegui_ws/socket.io/")


@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_served_without_the_cookie(app: App, path: str) -> None:
    name, value = app.cookie.split("=", 1)
    assert app.ask(path).status == 403
    assert app.ask(f"{path}?code=wrong").status == 403
    assert app.ask(path, Cookie=f"{name}=wrong").status == 403
    assert app.ask(path, Cookie=f"{name}={app.code}").status == 403
    assert app.ask(path, Cookie=f"{name}={value}").status != 403


def test_a_code_works_once_and_becomes_another_cookie(app: App) -> None:
    code = app.code
    let_in = app.ask(f"/?code={code}")
    told = let_in.getheader("Set-Cookie") or ""
    assert (let_in.status, let_in.getheader("Location"), let_in.read()) == (303, "/welcome", b"")
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in told.split(";")}
    assert "domain" not in told.lower()  # so it is the host's alone
    cookie = told.split(";")[0]
    assert code not in told
    assert app.ask("/", Cookie=cookie).status == 200
    assert app.code != code
    for again in (app.ask(f"/?code={code}"), app.ask("/enter", "POST", f"code={code}".encode())):
        assert (again.status, again.getheader("Set-Cookie")) == (403, None)
    assert app.ask(f"/?code={code}", Cookie=cookie).status == 200  # clicked twice by who is in
    assert app.ask("/", Cookie=app.cookie).status == 200  # others that were let in before stay


def test_a_cookie_is_good_under_the_name_it_was_given_to_alone(app: App) -> None:
    by_number = {"Host": f"127.0.0.1:{app.port}"}
    assert app.ask("/", Cookie=app.cookie, **by_number).status == 403
    given = (app.ask(f"/?code={app.code}", **by_number).getheader("Set-Cookie") or "").split(";")[0]
    assert app.ask("/", Cookie=given, **by_number).status == 200
    assert app.ask("/", Cookie=given).status == 403


def test_the_browser_is_told_a_file_that_only_the_user_can_read(tmp_path: Path) -> None:
    """What stands in the arguments of a process, every user of the machine can list."""
    told = tmp_path / "told"
    fake = tmp_path / "browser"
    fake.write_text(f'#!/bin/sh\necho "$@" >> {told}\n')
    fake.chmod(0o755)
    with running(tmp_path, opens=str(fake)) as app:
        assert becomes(lambda: told.exists() and told.read_text().endswith("\n"))
        assert told.read_text().split() == [app.page.as_uri()]
        assert stat.S_IMODE(app.page.stat().st_mode) == 0o600
        assert stat.S_IMODE(app.page.parent.stat().st_mode) == 0o700
        secrets = [app.code, app.cookie.split("=")[1], app.code]
        for process in (app.process.pid, *_children(app.process.pid)):
            arguments = Path(f"/proc/{process}/cmdline").read_text()
            environment = Path(f"/proc/{process}/environ").read_text()
            assert not [one for one in secrets if one in arguments + environment]


def test_the_file_lets_a_real_browser_in_and_leaves_no_code_in_its_history(app: App, browser: Any) -> None:
    tab = Tab(browser, app)
    code = app.code
    tab.page.goto(app.page.as_uri())
    tab.page.wait_for_selector(".content > *")
    assert tab.page.url == f"http://{app.host}/"
    kept = browser.new_cdp_session(tab.page).send("Page.getNavigationHistory")
    assert code not in str(kept)
    assert tab.page.evaluate("document.cookie") == ""
    (cookie,) = browser.cookies()
    assert (cookie["domain"], cookie["sameSite"]) == (app.host.split(":")[0], "Strict")
    assert cookie["value"] not in (code, app.code)
    assert tab.problems == []
    other = Tab(browser, app).open()  # by the address that is printed
    assert "code" not in other.page.url
    history = browser.new_cdp_session(other.page).send("Page.getNavigationHistory")
    assert "code=" not in str(history)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost", "evil.localhost", ""]
)
def test_other_names_for_this_machine_are_refused(app: App, host: str) -> None:
    assert app.ask("/", Host=host, Cookie=app.cookie).status == 403
    assert app.ask(f"/?code={app.code}", Host=host).status == 403
    assert app.ask("/welcome", Host=host).status == 403


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


def test_a_link_with_the_code_may_be_clicked_anywhere_but_not_fetched(app: App) -> None:
    clicked = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "document"}
    fetched = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "cors", "Sec_Fetch_Dest": "empty"}
    framed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate", "Sec_Fetch_Dest": "iframe"}
    code = app.code
    for told in (fetched, framed):
        assert app.ask(f"/?code={code}", **told).status == 403
        assert app.ask("/enter", "POST", f"code={code}".encode(), Origin="null", **told).status == 403
    assert app.ask("/enter", "POST", b"code=" + b"x" * 10_000, Origin="null", **clicked).status == 403
    assert app.ask("/enter", "POST", f"code={code}".encode(), Origin="null", **clicked).status == 303
    assert app.ask(f"/?code={app.code}", **clicked).status == 303


def shake_hands(app: App, **headers: str) -> str:
    """The first line of the answer to a web socket."""
    key = base64.b64encode(os.urandom(16)).decode()
    told = {
        "Host": app.host,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Version": "13",
        **headers,
    }
    lines = ["GET /_nicegui_ws/socket.io/?EIO=4&transport=websocket HTTP/1.1", *(f"{a}: {b}" for a, b in told.items())]
    with socket.create_connection(("127.0.0.1", app.port), timeout=PATIENCE) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return connection.recv(100).decode(errors="replace").splitlines()[0]


def test_web_sockets_are_checked_as_well(app: App) -> None:
    here = f"http://{app.host}"
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
    assert becomes(lambda: _children(app.process.pid))
    workers = _children(app.process.pid)
    app.process.send_signal(signal.SIGKILL)
    app.process.wait(PATIENCE)
    assert session.exists()
    assert all(becomes(lambda one=worker: _is_gone(one)) for worker in workers)
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
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] == "Z"
    except OSError:
        return True


def becomes(state: Callable[[], object]) -> bool:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not state():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


def test_closing_from_the_page_ends_it(tmp_path: Path, browser: Any) -> None:
    with running(tmp_path) as app:
        tab = Tab(browser, app, "close").open()
        tab.page.get_by_role("button", name="Close amongst").click()
        tab.page.get_by_role("button", name="Close and forget").wait_for()
        tab.shot("ask")
        tab.page.get_by_role("button", name="Close and forget").click()
        assert app.process.wait(PATIENCE) == 0
        assert app.sessions == []


def test_a_page_without_the_cookie_says_so(app: App, browser: Any) -> None:
    tab = Tab(browser, app, "refused")
    tab.page.goto(f"http://{app.host}/")
    tab.sees("This page is not open to you")
    tab.shot("page")


INJECTED = """() => new Promise((done) => {
  window.hacked = 0;
  const place = document.createElement("div"), script = document.createElement("script");
  const refused = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    refused.push(event.effectiveDirective);
    if (refused.length === 2) done([window.hacked, refused.sort()]);
  });
  place.innerHTML = '<img src="/assets/none.png" onerror="window.hacked = 1">';
  script.textContent = "window.hacked = 2";
  document.body.append(place, script);
})"""


def test_markup_that_got_into_a_page_would_not_run(app: App, browser: Any) -> None:
    told = app.ask("/", Cookie=app.cookie, Accept_Encoding="gzip").getheader("Content-Security-Policy") or ""
    scripts = next(part for part in told.split(";") if part.strip().startswith("script-src "))
    assert "'unsafe-inline'" not in scripts
    assert app.ask("/assets/none.css", Cookie=app.cookie).getheader("Content-Security-Policy")
    tab = Tab(browser, app).open()
    assert tab.page.evaluate(INJECTED) == [0, ["script-src-attr", "script-src-elem"]]


def test_a_script_after_those_of_the_frame_is_not_allowed() -> None:
    frame = b"<script>one()</script><script src='/a.js'></script><script type='module'>createApp()</script>"
    assert len(inline_scripts(frame)) == 2
    assert inline_scripts(frame + b"<script>evil()</script>") == inline_scripts(frame)
    assert inline_scripts(b"<script>evil()</script>") == []


def test_a_page_that_a_busy_machine_keeps_from_answering_is_not_given_up(app: App) -> None:
    answer = app.ask("/_nicegui_ws/socket.io/?EIO=4&transport=polling", Cookie=app.cookie)
    told = json.loads(answer.read().decode().lstrip("0"))  # how long the other side is waited for, in milliseconds
    assert told["pingTimeout"] >= 30_000
