"""YAML as plain values, each with the place where it stands. Nothing is ever constructed from a tag."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
)
from yaml.reader import Reader

from signoff.kit.jsons import MAX_DEPTH, Json, whole_text
from signoff.policy.problems import BadRules, RuleProblem
from signoff.policy.yaml.syntax import syntax_problem

MOST_BYTES = 1_000_000
# What somebody hands in while others wait: a thousand rules, and no second of everybody's time.
MOST_BYTES_IN = 256 * 1024
MOST_VALUES_IN = 20_000
# The parser in C is ten times as fast; not every platform has it.
PARSER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
Index: TypeAlias = str | int
Place: TypeAlias = tuple[int, int]
_WORDS: dict[str, Json] = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"[-+]?[0-9]{1,1000}", re.ASCII)
_REAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)


@dataclass(slots=True)
class Node:
    """A value and where it stands; `key` is where its key stands, or the value itself where it has none."""

    place: Place
    value: Json
    key: Place
    inside: dict[Index, "Node"] = field(default_factory=dict["Index", "Node"])

    def find(self, steps: tuple[Index, ...]) -> "Node":
        """What stands at these steps, or as near as they lead: a value alone stands for a list of one."""
        node = self
        for step in steps:
            node = node.inside.get(step, node)
        return node


def read_yaml(text: str, *, stored: bool = False) -> Node:
    """One document as plain values. Raises BadRules at the first thing that is no plain YAML, or too much of it."""
    text = whole_text(text)
    _check_characters(text, MOST_BYTES if stored else MOST_BYTES_IN)
    reading = _Reading(MOST_BYTES if stored else MOST_VALUES_IN)
    try:
        for event in _events(text):
            reading.take(event)
    except yaml.YAMLError as error:
        raise BadRules([syntax_problem(error, text)]) from None
    if reading.twice:
        raise BadRules(reading.twice)
    return reading.root


def _events(text: str) -> Iterator[Event]:
    parser = PARSER(text)
    while parser.check_event():
        yield parser.get_event()


def _check_characters(text: str, most: int) -> None:
    if len(text.encode()) > most:
        _refuse((1, 1), f"the rules are longer than {most:,} bytes; shorten them")
    odd = Reader.NON_PRINTABLE.search(text)
    if odd:
        before = text[: odd.start()]
        place = before.count("\n") + 1, odd.start() - (before.rfind("\n") + 1) + 1
        _refuse(place, f"the character U+{ord(odd.group()):04X} is not allowed; remove it")


def _refuse(place: Place, message: str) -> NoReturn:
    raise BadRules([RuleProblem(*place, message)])


@dataclass(slots=True)
class _Open:
    """A block that is not closed yet, and the key that waits for its value."""

    node: Node
    key: str | None = None
    key_place: Place = (1, 1)

    @property
    def wants_key(self) -> bool:
        return isinstance(self.node.value, dict) and self.key is None


class _Reading:
    """Builds the tree from the parser's events, without recursion."""

    def __init__(self, most: int) -> None:
        self.root = Node((1, 1), None, (1, 1))
        self._left = most
        self.twice = list[RuleProblem]()
        self._open = list[_Open]()
        self._documents = 0

    def take(self, event: Event) -> None:
        mark: Any = event.start_mark
        place: Place = (mark.line + 1, mark.column + 1)
        match event:
            case DocumentStartEvent():
                self._documents += 1
                if self._documents > 1:
                    _refuse(place, "a second document starts here; remove the `---` and keep all rules in one")
            case NodeEvent():
                self._check(event, place)
                self._node(event, place)
            case CollectionEndEvent():
                self._open.pop()
            case _:
                pass

    def _check(self, event: NodeEvent, place: Place) -> None:
        self._left -= 1
        if self._left < 0:
            _refuse(place, f"the rules hold more than {MOST_VALUES_IN:,} keys and values; shorten them")
        if isinstance(event, AliasEvent):
            _refuse(place, f'a value that starts with * must be in quotes: "*{event.anchor}"')
        if event.anchor:
            _refuse(place, f"anchors such as `&{event.anchor}` are not supported; write the value out")
        if isinstance(event, ScalarEvent | CollectionStartEvent) and event.tag:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            _refuse(place, f"tags such as `{tag}` are not supported; put text that starts with ! in quotes")

    def _node(self, event: NodeEvent, place: Place) -> None:
        block = self._open[-1] if self._open else None
        if block and block.wants_key:
            if not isinstance(event, ScalarEvent):
                _refuse(place, "a key must be one word of text")
            block.key, block.key_place = event.value, place
            return
        node = self._add(block, place, _value(event))
        if isinstance(event, CollectionStartEvent):
            if len(self._open) == MAX_DEPTH:
                _refuse(place, f"this is nested deeper than {MAX_DEPTH} levels")
            self._open.append(_Open(node))

    def _add(self, block: _Open | None, place: Place, value: Json) -> Node:
        node = Node(place, value, block.key_place if block and block.key is not None else place)
        if block is None:
            self.root = node
        elif block.key is None:
            block.node.inside[len(block.node.value)] = node
            block.node.value.append(value)
        else:
            if block.key in block.node.value:
                message = f"`{block.key}` appears twice; keep one of them"
                self.twice.append(RuleProblem(*block.key_place, message))
            block.node.inside[block.key] = node
            block.node.value[block.key] = value
            block.key = None
        return node


def _value(event: NodeEvent) -> Json:
    if isinstance(event, MappingStartEvent):
        return {}
    if not isinstance(event, ScalarEvent):
        return []
    plain = event.implicit[0]
    return _scalar(event.value) if plain else event.value


def _scalar(text: str) -> Json:
    """What a word without quotes means: nothing, a boolean, a number, else a text. Dates stay texts."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _REAL.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text
