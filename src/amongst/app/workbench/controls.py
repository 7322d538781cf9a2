"""Gauges and sliders on the right: what is asked, what it comes to, and by which method."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from amongst.app.draft import columns_of, method_of
from amongst.app.language import Own, is_foreign, say, spoken
from amongst.app.panels.gauges import LINES, gauges
from amongst.app.parts import box, button, folded, select, tag
from amongst.app.redraw import drawn_anew
from amongst.app.steps.method import methods_by_heading, methods_of, refusal
from amongst.app.workbench.columns import WEIGHTS
from amongst.app.workbench.slider import Slider
from amongst.models import MODELS
from amongst.report.wording import count
from amongst.review import Review

if TYPE_CHECKING:
    from amongst.app.workbench.bench import Workbench

KS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000)
LS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
TS = (1.0, 0.8, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)
MOST_WEIGHTS = 8
"""Columns with a slider for their weight: those that lose most."""
LINE_WORDS = {"learned": "learned, at most", "lost": "lost, at most", "kept": "kept, at least"}
Content = dict[str, Any]


class Controls:
    """The right side of the workbench."""

    def __init__(self, bench: Workbench) -> None:
        self.bench, self.page = bench, bench.page
        self.dials = (
            ui.html("", sanitize=False).classes("dials").props(spoken("role=region aria-label=Gauges data-mark=gauges"))
        )
        self.state = tag("p", "", "live-words").props("role=status data-mark=live")
        self.asked = box("asked")
        self.show()

    def show(self) -> None:
        """Everything anew: after undo, another candidate, or another role."""
        with drawn_anew(self.asked):
            with box("pane-head"):
                tag("h2", "What must hold")
            self._privacy()
            with folded(self.page.local, "weights", "What matters more", "plain"):
                self._weights()
            self._method()
            with folded(self.page.local, "lines", "Where the lines are", "plain"), box("fields"):
                self._lines()
        self.show_gauges()

    # What is asked

    def _privacy(self) -> None:
        draft = self.page.draft
        k = _asked(draft.privacy, "k-anonymity", "k", 1)
        self._slider(
            "k: persons that look alike" if draft.many else "k: rows that look alike",
            KS,
            k,
            lambda value: f"{value:g}",
            _put_k,
            mark="slide-k",
        )
        sensitive = draft.named("sensitive")
        notes = "" if sensitive else "Needs a sensitive column: choose one on the left."
        diverse = self._slider(
            "l: sensitive values differ",
            LS,
            _asked(draft.privacy, "l-diversity", "l", 1.0),
            lambda value: "off" if value <= 1 else f"{value:g}",
            _put_l,
            mark="slide-l",
            note=notes,
        )
        close = self._slider(
            "t: groups like the whole",
            TS,
            _asked(draft.privacy, "t-closeness", "t", 1.0),
            lambda value: "off" if value >= 1 else f"{value:g}",
            _put_t,
            mark="slide-t",
        )
        diverse.disable(not sensitive)
        close.disable(not sensitive or (draft.many and not MODELS["t-closeness"].many_tables))
        others = [
            one["model"] for one in draft.privacy if one["model"] not in ("k-anonymity", "l-diversity", "t-closeness")
        ]
        others += ["hardened against attacks"] if "harden" in draft.content else []
        with box("line-of"):
            if others:
                titles = [MODELS[one].card.title if one in MODELS else one for one in others]
                tag("span", "Also: " + ", ".join(titles), "small")
            button("All promises …", lambda: self.page.go("privacy"), "link")

    def _slider(
        self,
        label: str,
        values: Any,
        value: Any,
        words: Callable[[Any], str],
        put: Callable[[Content, Any], None],
        *,
        mark: str,
        note: str = "",
    ) -> Slider:
        return Slider(
            label,
            values,
            value,
            words=words,
            drag=lambda told: self.bench.drag(lambda content: put(content, told)),
            done=lambda told: self._done(put, told),
            mark=mark,
            note=note,
        )

    def _done(self, put: Callable[[Content, Any], None], value: Any) -> None:
        put(self.page.draft.content, value)
        self.bench.edited()

    def _weights(self) -> None:
        losses, quasi = self.bench.losses, self.page.draft.named("quasi")
        tag("p", "A larger weight keeps more of a column, at the cost of the others.", "muted small")
        for i, name in enumerate(sorted(quasi, key=lambda name: -(losses.get(name) or 0.0))[:MOST_WEIGHTS]):

            def put(content: Content, value: Any, name: str = name) -> None:
                fields = columns_of(content)[name]
                fields.pop("weight", None)
                if value != 1.0:
                    fields["weight"] = value

            weight = self.page.draft.columns[name].get("weight", 1.0)
            self._slider(Own(name), WEIGHTS, weight, lambda value: f"{value:g}", put, mark=f"slide-weight-{i}")

    def _method(self) -> None:
        draft, session = self.page.draft, self.page.session
        chosen, _ = method_of(draft.content)
        options = {
            method.name: method.name
            for methods in methods_by_heading(methods_of(draft)).values()
            for method in methods
            if method.name == chosen or not refusal(self.page, method)
        }

        def put(name: str) -> None:
            session.set_method(name)
            self.bench.edited()

        with box("labelled"):
            tag("span", "Method")
            select(options, chosen, put, "Method").props("data-mark=method")
        with box("line-of"):
            button("Options and other methods …", lambda: self.page.go("method"), "link")

    def _lines(self) -> None:
        lines = self.page.session.lines
        for key, words in LINE_WORDS.items():
            with box("labelled"):
                tag("span", words)
                made = ui.number(
                    value=100 * lines.get(key, LINES[key]), min=0, max=100, step=1, format="%g", suffix="%"
                )
                made.props(spoken(f'outlined dense debounce=300 aria-label="{words}"')).classes("field tiny")
                made.on_value_change(lambda event, key=key: self._put_line(key, event.value))

    def _put_line(self, key: str, value: float | None) -> None:
        if value is not None:
            self.page.session.lines[key] = value / 100
            self.page.edited()
            self.show_gauges()

    # What it comes to

    def show_gauges(self) -> None:
        """The gauges of the moment."""
        told = self.bench.told
        if told is None:
            self.dials.set_content("")
        else:
            lines = {**LINES, **self.page.session.lines}
            review = self.page.draft.content.get("review")
            drawn = gauges(told["gauges"], lines, found_line=Review(**review).most if review else None)
            self.dials.set_content(str(drawn))
        self.say(self._words())

    def say(self, words: str, way_out: str = "") -> None:
        """What is to be known of the figures on show; two sentences stand in one language, or in English."""
        both = f"{words} {way_out}".strip()
        if way_out and not is_foreign(words) and not is_foreign(way_out):
            both = Own(f"{say(words)} {say(way_out)}")
        self.state.set_text(both)

    def _words(self) -> str:
        told, session = self.bench.told, self.page.session
        if told is None:
            return "Working on it." if session.running else ""
        if self.bench.is_trial:
            words = f"A preview by {told['method']}"
            if told["sample"]:
                what = "persons" if self.page.draft.many else "rows"
                words += f" of {count(told['sample'])} of {count(told['of'])} {what}"
            return words + ". Not proved."
        facts = told["gauges"]
        gone = "no row left out" if facts["suppressed"] == "0" else f"{facts['suppressed']} left out"
        what = "persons" if self.page.draft.many else "rows"
        gone = gone.replace("no row", "nobody") if self.page.draft.many else gone
        n_groups = told.get("groups", facts["groups"])
        proved = f"Proved: {count(facts['published'])} {what} in {count(n_groups)} groups, {gone}."
        return f"Of before the last change. {proved}" if session.stale else proved


def _asked(privacy: list[dict[str, Any]], model: str, field: str, none: float) -> float:
    return next((one[field] for one in privacy if one["model"] == model and field in one), none)


def _put(content: Content, model: str, field: str, value: Any) -> None:
    """Ask a model with a value; None takes it away."""
    own = next((one for one in content["privacy"] if one["model"] == model), None)
    if value is None:
        content["privacy"] = [one for one in content["privacy"] if one["model"] != model]
    elif own is None:
        content["privacy"] = [*content["privacy"], {"model": model, field: value}]
    else:
        own[field] = value


def _put_k(content: Content, value: Any) -> None:
    _put(content, "k-anonymity", "k", int(value))


def _put_l(content: Content, value: Any) -> None:
    _put(content, "l-diversity", "l", None if value <= 1 else int(value) if float(value).is_integer() else value)


def _put_t(content: Content, value: Any) -> None:
    _put(content, "t-closeness", "t", None if value >= 1 else value)
