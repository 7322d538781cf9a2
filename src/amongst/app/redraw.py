"""A part of the page that is built anew: what means the same as before stays the same element in the browser.

So a click is never lost because something was drawn under it, the keyboard stays where it is, what was opened stays
open, and nothing flickers: only what is different is sent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from nicegui import json
from nicegui.element import Element
from nicegui.elements.mixins.value_element import ValueElement

NAMES = ("data-mark", "data-key", "aria-label", "href", "^value")
"""What tells elements of one kind apart, before their words do."""


@contextmanager
def drawn_anew(place: Element, *, same: bool = True) -> Iterator[Element]:
    """Build what is in a place again, or something else where it is not the ``same``.

    An element stays where a new one of the same kind, name and words is in the same part, and there are as many of
    them as before; with other words, where it is the only one of its kind: what is clicked in there stays only if it
    has a name. So a line that goes never leaves its place, and clicks on it, to the next.
    """
    before = [_Before.of(child) for child in place] if same else []
    place.clear()
    with place:
        yield place
    _keep(before, list(place))


@dataclass(frozen=True, eq=False)
class _Before:
    """What is remembered of an element that is about to be replaced."""

    number: int
    kind: Hashable
    words: str
    listeners: tuple[tuple[str, str], ...]
    """What it listens to, and the names that the browser has for that."""
    parts: dict[str, list[_Before]]
    sent: Any
    """As the browser knows it; None where it was not told yet."""
    typed: Any
    """What the browser said last of its own value."""

    @classmethod
    def of(cls, element: Element) -> _Before:
        waits = element.id in element.client.outbox.updates
        return cls(
            number=element.id,
            kind=_kind(element),
            words=_words(element),
            listeners=tuple((_hears(one), one.id) for one in element._event_listeners.values()),
            parts={name: [cls.of(child) for child in slot] for name, slot in element.slots.items()},
            sent=None if waits else _as_sent(element),
            typed=getattr(element, "_client_value", None),
        )


def _kind(element: Element) -> Hashable:
    """What an element is, without its words: its sort, its name, and what it listens to."""
    named = tuple(str(element.props.get(name)) for name in NAMES)
    return type(element), element.tag, named, tuple(_hears(one) for one in element._event_listeners.values())


def _hears(listener: Any) -> str:
    return f"{listener.type} {listener.args} {listener.js_handler}"


def _words(element: Element) -> str:
    """The first words in an element, which tell it from others of its kind."""
    own = element._text or element.props.get("label") or element.props.get("placeholder")
    if own:
        return str(own)
    return next((words for child in element if (words := _words(child))), "")


def _as_sent(element: Element) -> Any:
    return json.dumps({key: one for key, one in element._to_dict().items() if key != "preserved_props"})


def _keep(before: Sequence[_Before], now: Sequence[Element], *, sure: bool = True) -> None:
    """Let new elements take the places of those they are the same as: by name and words, then by name alone.

    Where one is not ``sure`` that they are in the same part, only what has a name, or is not clicked, stays.
    """
    left, waiting = list(before), list(now)
    for exact in (True, False):

        def name_of(kind: Hashable, words: str, exact: bool = exact) -> Hashable:
            return (kind, words) if exact else kind

        there = Counter(name_of(one.kind, one.words) for one in left)
        here = Counter(name_of(_kind(one), _words(one)) for one in waiting)
        places: dict[Hashable, list[_Before]] = defaultdict(list)
        for one in left:
            places[name_of(one.kind, one.words)].append(one)
        later = []
        for element in waiting:
            name = name_of(_kind(element), _words(element))
            one_or_all = there[name] == here[name] and (exact or here[name] == 1)
            if one_or_all and ((exact and sure) or _is_named(element) or not element._event_listeners):
                same = places[name].pop(0)
                left.remove(same)
                _take_place(element, same, sure=_is_named(element) or (exact and sure))
            else:
                later.append(element)
        waiting = later


def _is_named(element: Element) -> bool:
    return any(element.props.get(name) for name in NAMES)


def _take_place(element: Element, before: _Before, *, sure: bool) -> None:
    """Give an element the number of the one before, which it is from now on."""
    for name, slot in element.slots.items():
        _keep(before.parts.get(name, []), list(slot), sure=sure)
    client = element.client
    del client.elements[element.id]
    client.outbox.updates.pop(element.id, None)
    element.id = before.number
    client.elements[element.id] = element
    listeners = list(element._event_listeners.values())
    for listener, (_, name) in zip(listeners, before.listeners, strict=True):
        listener.id, listener.element_id = name, element.id
    element._event_listeners = {listener.id: listener for listener in listeners}
    if isinstance(element, ValueElement):
        element._client_value = before.typed  # so that what is typed meanwhile stays
    if _as_sent(element) == before.sent:
        client.outbox.updates.pop(element.id, None)  # nothing to tell, not even that it was deleted
    else:
        client.outbox.enqueue_update(element)
