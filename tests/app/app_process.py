"""The app as a process of its own, and a real browser that looks at it."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SHOTS = Path(__file__).parents[2] / "out" / "app-shots"
PATIENCE = 90.0
"""Seconds that a state may take to come about: a machine on which much runs is slow, and nothing is told by that."""
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


REST = """() => Promise.all(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().iterations !== Infinity).map((one) => one.finished.catch(() => 0)))"""

DRAG = """async ([mark, places]) => {
  const slider = document.querySelector(`[data-mark='${mark}']`);
  const gauges = document.querySelector("[data-mark=gauges]");
  const taken = [];
  for (const place of places) {
    const start = performance.now();
    const changed = new Promise((done) => {
      const watch = new MutationObserver(() => { watch.disconnect(); done(performance.now() - start); });
      watch.observe(gauges, { childList: true, subtree: true, characterData: true });
    });
    slider.value = place;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const never = new Promise((_, no) => setTimeout(() => no(new Error("nothing changed")), 180000));
    taken.push(await Promise.race([changed, never]));
  }
  return taken;
}"""
LET_GO = "(mark) => document.querySelector(`[data-mark='${mark}']`).dispatchEvent(new Event('change', {bubbles: true}))"


class App:
    """A running app: where it is, and what may be asked of it without a browser."""

    def __init__(self, process: subprocess.Popen[str], address: str, folder: Path) -> None:
        self.process = process
        self.printed = address
        """The address that the command printed."""
        self.folder = folder
        """Where temporary files go, and so the session's folder."""
        parts = urlsplit(address)
        assert str(parts.hostname).endswith(".localhost")
        self.port, self.host = int(parts.port or 0), parts.netloc
        self._cookie = ""

    @property
    def page(self) -> Path:
        """The file that opens the app."""
        (session,) = self.sessions
        return session / "open.html"

    @property
    def code(self) -> str:
        """The code of the moment."""
        found = re.search(r'name="code" value="([^"]+)"', self.page.read_text())
        assert found is not None
        return found[1]

    @property
    def address(self) -> str:
        """An address that lets a browser in, once."""
        return f"http://{self.host}/?code={self.code}"

    @property
    def workers(self) -> list[int]:
        """The processes that hold the table: one, or none while it begins."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        states = {int(one): Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()[0] for one in children}
        return [pid for pid, state in states.items() if state != "Z"]

    @property
    def sessions(self) -> list[Path]:
        return sorted(self.folder.glob(".amongst-*"))

    def ask(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        """A request with exactly these headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        told = {"Host": self.host, **{name.replace("_", "-"): text for name, text in headers.items()}}
        if body is not None:
            told["Content-Length"] = str(len(body))
        for name, text in told.items():
            connection.putheader(name, text)
        connection.endheaders(body)
        return connection.getresponse()

    @property
    def cookie(self) -> str:
        """What a browser that was let in sends."""
        if not self._cookie:
            self._cookie = (self.ask(f"/?code={self.code}").getheader("Set-Cookie") or "").split(";")[0]
        return self._cookie


def begin(folder: Path, *arguments: str, opens: str = "") -> App:
    """Start the app in a folder, with temporary files in it as well; ``opens`` is the browser that it opens."""
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST")}
    environment |= {"TMPDIR": str(temporary), "BROWSER": opens}
    process = subprocess.Popen(
        [sys.executable, "-m", "amongst", "app", "--open" if opens else "--no-open", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=(folder / "app.err").open("w"),
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"http://\S+", line):
            return App(process, found[0], temporary)
    raise AssertionError((folder / "app.err").read_text())


@contextlib.contextmanager
def running(folder: Path, *arguments: str, opens: str = "") -> Iterator[App]:
    """The app while a test runs."""
    app = begin(folder, *arguments, opens=opens)
    try:
        yield app
    finally:
        app.process.terminate()
        try:
            app.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            app.process.kill()
            app.process.wait()


class Tab:
    """A tab of the browser, and what a person does in it."""

    def __init__(self, context: Any, app: App, shots: str = "") -> None:
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.app, self._shots = app, shots
        self.hosts: set[str] = set()
        self.problems: list[str] = []
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("dialog", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.problems.append(message.text)

    def _asked(self, dialog: Any) -> None:
        self.problems.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def open(self, path: str | None = None) -> Tab:
        self.page.goto(self.app.address if path is None else f"http://{self.app.host}{path}")
        self.page.wait_for_selector(".content > *")
        return self

    def load(self, example: str) -> None:
        """An example."""
        with self.loading():
            self.marked(f"example-{example.lower()}").click()

    @contextlib.contextmanager
    def loading(self) -> Iterator[None]:
        """Whatever loads a table, until it is there."""
        content = self.page.locator(".content")
        before = int(content.get_attribute("data-loaded") or 0)
        if self.page.locator("details.again:not([open])").count():
            self.page.locator("details.again > summary").click()
        yield
        self.page.locator(f".content[data-loaded='{before + 1}']").wait_for()
        self.page.get_by_role("button", name="Cancel").wait_for(state="hidden")

    def step(self, name: str) -> None:
        self.page.get_by_role("navigation").get_by_role("button", name=re.compile(rf"^(\d )?{name}$")).click()
        self.page.wait_for_selector(f"nav [aria-current=step]:has-text('{name}')")

    def made(self) -> str:
        """What is told of the release of what is asked, once it was made and proved, on the workbench."""
        told = self.page.locator("[data-mark=live]", has_text=re.compile("^(Proved|Bewiesen)"))
        told.wait_for()
        return str(told.inner_text())

    def figures(self) -> None:
        """All figures of what was made."""
        self.made()
        self.marked("tab-figures").click()
        self.sees("Risk before and after")

    def text(self, name: str = "Job file") -> str:
        """The job file, or the Python, that stands for what was chosen."""
        if not self.page.locator(".side-text").is_visible():
            self.page.get_by_role("button", name="Job file and Python").click()
        self.page.get_by_role("tab", name=name, exact=True).click()
        self.page.locator(f".side-tab[aria-selected=true]:has-text('{name}')").wait_for()
        shown = str(self.page.locator(".side-text").inner_text())
        self.page.get_by_role("button", name="Job file and Python").click()
        self.page.locator(".side-text").wait_for(state="hidden")
        return shown

    def marked(self, mark: str) -> Any:
        return self.page.locator(f"[data-mark='{mark}']")

    def sees(self, text: str | re.Pattern[str]) -> Any:
        found = self.page.get_by_text(text).first
        found.wait_for()
        return found

    def pick(self, label: str, option: str) -> None:
        """Choose from a list."""
        self.page.get_by_label(label, exact=True).first.click()
        self.page.get_by_role("option", name=option, exact=True).click()

    def drag(self, mark: str, places: list[int]) -> list[float]:
        """Drag a slider over these places, waiting at each for new figures; how many milliseconds each took."""
        return list(self.page.evaluate(DRAG, [mark, places]))

    def let_go(self, mark: str) -> None:
        """Take the hand off a slider."""
        self.page.evaluate(LET_GO, mark)

    def drop(self, path: Path) -> None:
        """A file on the page where tables are loaded."""
        if self.page.locator("details.again:not([open])").count():
            self.page.locator("details.again > summary").click()
        self.page.locator(".drop.large input[type=file]").set_input_files(path)

    def rests(self) -> None:
        """Until nothing on the page moves any more."""
        self.page.evaluate(REST)

    def shot(self, name: str) -> None:
        if self._shots:
            SHOTS.mkdir(parents=True, exist_ok=True)
            self.rests()
            self.page.screenshot(path=SHOTS / f"{self._shots}-{name}.png")
