"""Attack it: what a motivated intruder would try, what came of it, and a release that withstands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.app.panels import markup
from amongst.app.parts import box, button, empty, tag
from amongst.attack.finding import MEANING
from amongst.review import Review

if TYPE_CHECKING:
    from amongst.app.workbench.bench import Workbench


def show_attacks(bench: Workbench) -> None:
    """The findings, and what can be done about them."""
    session, page = bench.session, bench.page
    found = session.findings
    review = page.draft.content.get("review")
    chosen = Review(**review).chosen if review else None

    def go() -> None:
        session.start(session.attack(chosen))

    def harden() -> None:
        page.draft.content.setdefault("harden", {})  # what was promised already stays
        bench.edited()
        bench.controls.show()
        bench.make()

    with box("labelled line"):
        made = button("Attack it again" if found else "Attack it", go, "main").props("data-mark=attack")
        other = button("Make one that withstands", harden, "quiet").props("data-mark=harden-now")
        for one in (made, other):
            one.set_enabled(session.running is None and session.result is not None)
        words = "The attacks that the review leaves" if chosen else "All attacks"
        tag("span", f"{words}, on what was made last. It may take a minute.", "muted small")
    if found is None:
        waits = session.running
        title = waits.title if waits else "Not attacked yet"
        empty(title, "People are looked for, told from others, and their values guessed, beside a control group.")
        return
    with box("am"):
        markup.show(findings(found))


def findings(found: dict[str, Any]) -> markup.Markup:
    """What all attacks found, the successful first."""
    parts = [markup.section(found["headline"], "For you alone: some of it needs the original.")]
    for kind, listed in found["findings"].items():
        if not listed:
            continue
        parts.append(markup.element("h4", f"{kind.capitalize()}: {MEANING[kind]}"))
        parts += [_finding(one) for one in sorted(listed, key=lambda one: not one["succeeded"])]
    skipped = [[one["attack"], one["why"]] for one in found["skipped"]]
    if skipped:
        parts.append(markup.folded(f"{len(skipped)} not tried", markup.table(["attack", "why"], skipped)))
    return markup.join(parts)


def _finding(one: dict[str, Any]) -> markup.Markup:
    about = f" ({one['column']})" if one["column"] else ""
    outcome = "succeeds" if one["succeeded"] else "does not succeed"
    head = markup.element(
        "summary",
        markup.element("span", "! " if one["succeeded"] else "✓ ", aria_hidden="true"),
        f"{one['title']}{about}: {outcome}",
    )
    told = [*one["achieved"], f"Knows: {one['knows']}", f"Works: {one['works']}", f"To lower it: {one['lower']}"]
    listed = markup.element("ul", *(markup.element("li", words) for words in told), class_="am-sentences")
    classes = "finding" + (" beyond" if one["succeeded"] else "")
    return markup.element("details", head, listed, class_=classes, open="" if one["succeeded"] else None)
