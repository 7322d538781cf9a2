"""The app behind a proxy that does the login: only what the proxy sends on is let in, under the proxy's name alone."""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_process import PATIENCE

from amongst.app.proxy import HEADER, SECRET, ProxyDoor
from amongst.app.start import start
from amongst.errors import BadOption

pytest.importorskip("nicegui", reason='the app is an extra: pip install "amongst[app]"')

ADDRESS, HOST = "https://anonymize.example.org", "anonymize.example.org"
WORD = "w" * 40


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    place = tmp_path_factory.mktemp("proxy")
    command = [sys.executable, "-m", "amongst", "app", "--behind", ADDRESS, "--port", str(number)]
    environment = {**os.environ, SECRET: WORD, "TMPDIR": str(place)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=place)
    try:
        for _ in range(1800):
            try:
                if ask(number, "/alive").status == 200:
                    break
            except OSError:
                time.sleep(0.1)
        yield number
    finally:
        process.terminate()
        out, _ = process.communicate(timeout=PATIENCE)
        assert out == ""  # no address with a code is told: there is none


def ask(port: int, path: str, **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.putrequest("GET", path, skip_host=True, skip_accept_encoding=True)
    for name, text in headers.items():
        connection.putheader(name.replace("_", "-"), text)
    connection.endheaders()
    return connection.getresponse()


def test_only_the_proxy_is_let_in(port: int) -> None:
    name = HEADER.replace("-", "_")
    assert ask(port, "/", Host=HOST, **{name: WORD}).status == 200
    for headers in (
        {"Host": HOST},
        {"Host": HOST, name: WORD[:-1]},
        {"Host": "127.0.0.1", name: WORD},
        {"Host": HOST, name: WORD, "Origin": "https://elsewhere.example.org"},
        {"Host": HOST, name: WORD, "Origin": f"http://{HOST}"},
        {"Host": HOST, name: WORD, "Sec_Fetch_Site": "cross-site"},
    ):
        assert ask(port, "/", **headers).status == 403, headers
    assert ask(port, "/?code=anything", Host=HOST).status == 403


def test_alive_says_nothing_else(port: int) -> None:
    answer = ask(port, "/alive", Host="anything")
    assert (answer.status, answer.read()) == (200, b"alive")


@pytest.mark.parametrize("address", ["example.org", "https://example.org/app", "ftp://example.org", ""])
def test_an_address_that_people_do_not_type_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, WORD)
    with pytest.raises(BadOption, match="cannot answer"):
        ProxyDoor(address)


def test_a_short_secret_is_refused_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET, "hunter2")
    with pytest.raises(BadOption) as refused:
        ProxyDoor(ADDRESS)
    assert "hunter2" not in str(refused.value)
    assert SECRET not in os.environ


def test_without_a_proxy_only_this_machine(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="only this machine"):
        start(listen="0.0.0.0")


@pytest.mark.skipif(shutil.which("nginx") is None, reason="no nginx")
def test_a_real_proxy_with_a_login(port: int, tmp_path: Path) -> None:
    import base64

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        outside = free.getsockname()[1]
    (tmp_path / "people").write_text("anna:{PLAIN}pass\n")
    user = "user root;" if os.getuid() == 0 else ""  # its workers must be able to read the file of people
    (tmp_path / "nginx.conf").write_text(
        f"""
        {user} pid {tmp_path}/pid; error_log {tmp_path}/log; daemon off; events {{}}
        http {{ access_log off; client_body_temp_path {tmp_path}/b; proxy_temp_path {tmp_path}/p;
          fastcgi_temp_path {tmp_path}/f; uwsgi_temp_path {tmp_path}/u; scgi_temp_path {tmp_path}/s;
          server {{ listen 127.0.0.1:{outside}; auth_basic amongst; auth_basic_user_file {tmp_path}/people;
            location / {{ proxy_pass http://127.0.0.1:{port}; proxy_http_version 1.1; proxy_set_header Host {HOST};
              proxy_set_header X-Amongst-Proxy {WORD}; }} }} }}"""
    )
    proxy = subprocess.Popen(["nginx", "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path)])
    try:
        for _ in range(1800):
            try:
                assert ask(outside, "/", Host=HOST).status == 401
                break
            except ConnectionError:
                time.sleep(0.1)
        login = "Basic " + base64.b64encode(b"anna:pass").decode()
        assert ask(outside, "/", Host=HOST, Authorization=login).status == 200
    finally:
        proxy.terminate()
        proxy.wait(timeout=PATIENCE)
