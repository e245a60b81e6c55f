"""What a call does to the world, as its tool states it for these arguments. It raises a risk and never lowers one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from signoff.kit.jsons import JsonObject, clean_text


class ImpactKind(StrEnum):
    """From the mildest to the gravest."""

    STAYS_IN_FOLDER = "stays_in_folder"
    OVERWRITES = "overwrites"
    CANNOT_BE_UNDONE = "cannot_be_undone"
    LEAVES_HOUSE = "leaves_house"
    REACHES_PEOPLE = "reaches_people"
    REACHES_CUSTOMERS = "reaches_customers"
    MOVES_MONEY = "moves_money"


LONGEST_TEXT = 160
IN_WORDS = {
    ImpactKind.STAYS_IN_FOLDER: "stays in its own folder",
    ImpactKind.OVERWRITES: "overwrites what is there",
    ImpactKind.LEAVES_HOUSE: "leaves your systems",
    ImpactKind.REACHES_PEOPLE: "reaches people",
    ImpactKind.REACHES_CUSTOMERS: "reaches customers",
    ImpactKind.MOVES_MONEY: "moves money",
    ImpactKind.CANNOT_BE_UNDONE: "cannot be undone",
}
# A high risk that does all of one line counts as critical.
CRITICAL_TOGETHER = (
    frozenset({ImpactKind.MOVES_MONEY, ImpactKind.CANNOT_BE_UNDONE}),
    frozenset({ImpactKind.REACHES_CUSTOMERS, ImpactKind.CANNOT_BE_UNDONE}),
)
# Each kind weighs more than all milder ones together; to stay in the folder weighs nothing.
_WEIGHTS = {kind: 1 << place >> 1 for place, kind in enumerate(ImpactKind)}
_HEAVIEST = 2 * sum(_WEIGHTS.values()) + 1


@dataclass(frozen=True, slots=True)
class Impact:
    """The kinds, and one line for people. What nobody stated may be more than is named here."""

    kinds: tuple[ImpactKind, ...] = ()
    text: str = ""
    stated: bool = True
    # Whether this agent has not done this before; None where nobody looked.
    first_time: bool | None = None
    # Its tool was asked and gave no answer: it may be the gravest.
    unanswered: bool = False
    # Whether it can be taken back afterwards, by us; so can what changes nothing.
    reversible: bool = False

    def to_json(self) -> JsonObject:
        """For keeping, without what goes without saying."""
        kept: JsonObject = {"kinds": [kind.value for kind in self.kinds], "text": self.text}
        kept |= {} if self.stated else {"stated": False}
        kept |= {"unanswered": True} if self.unanswered else {}
        kept |= {"reversible": True} if self.reversible else {}
        return kept if self.first_time is None else kept | {"first_time": self.first_time}

    @classmethod
    def from_json(cls, kept: JsonObject) -> "Impact":
        kinds = tuple(ImpactKind(kind) for kind in kept["kinds"])
        stated, unanswered = kept.get("stated", True), kept.get("unanswered", False)
        return cls(kinds, kept["text"], stated, kept.get("first_time"), unanswered, kept.get("reversible", False))


# What a tool states for a call of this run, by its name and arguments; None: it is not known.
ImpactOf: TypeAlias = Callable[[str | None, str, JsonObject], Impact | None]


def nobody_states(_run_id: str | None, _tool: str, _arguments: JsonObject) -> Impact | None:
    """Where no tool can be asked."""
    return None


NOT_KNOWN = Impact((), "What this affects is not known", stated=False)
UNANSWERED = Impact((), "What this affects could not be found out", stated=False, unanswered=True)


def checked(found: Any) -> Impact:
    """What a tool's function stated, in order and in one short line. Raises ValueError for anything else."""
    if not isinstance(found, Impact):
        raise ValueError(f"an impact is expected, not {type(found).__name__}")
    kinds = in_order(ImpactKind(kind) for kind in found.kinds)
    can_go_back = (found.reversible or not kinds) and ImpactKind.CANNOT_BE_UNDONE not in kinds
    return Impact(kinds, one_line(found.text) or sentence(kinds), reversible=can_go_back)


def in_order(kinds: Iterable[ImpactKind]) -> tuple[ImpactKind, ...]:
    named = set(kinds)
    return tuple(kind for kind in ImpactKind if kind in named)


def one_line(text: str) -> str:
    short = " ".join(clean_text(text).split())
    return short if len(short) <= LONGEST_TEXT else short[: LONGEST_TEXT - 1] + "…"


def sentence(kinds: Sequence[ImpactKind]) -> str:
    """The kinds in words, the gravest first; that it cannot be undone comes last."""
    words = [IN_WORDS[kind] for kind in reversed(kinds) if kind is not ImpactKind.CANNOT_BE_UNDONE]
    words += [IN_WORDS[kind] for kind in kinds if kind is ImpactKind.CANNOT_BE_UNDONE]
    return ", ".join(words).capitalize() if words else "Changes nothing"


# How rules call what changes nothing, and what nobody stated.
NOTHING, UNKNOWN = "nothing", "unknown"
IMPACT_WORDS = (*(kind.value for kind in ImpactKind), NOTHING, UNKNOWN)


def impact_words(impact: Impact | None) -> tuple[str, ...]:
    """What a call does, in the words of rules."""
    if impact is None or not impact.stated:
        return (*(kind.value for kind in (impact.kinds if impact else ())), UNKNOWN)
    return tuple(kind.value for kind in impact.kinds) or (NOTHING,)


def is_within(found: Impact | None, approved: Impact) -> bool:
    """Whether a call does no more than one that a person approved; what nobody states may be more."""
    kinds, seen = frozenset(found.kinds if found else ()), frozenset(approved.kinds)
    if approved.stated and (found is None or not found.stated):
        return False
    if found is not None and found.unanswered and not approved.unanswered:
        return False
    if approved.reversible and (found is None or not found.reversible):
        return False
    stays = ImpactKind.STAYS_IN_FOLDER
    if stays in seen and kinds and stays not in kinds:
        return False
    return kinds - {stays} <= seen


def why_critical(impact: Impact | None) -> str | None:
    """Why a high risk with this impact counts as critical; None: it does not."""
    kinds = frozenset(impact.kinds if impact else ())
    if impact and impact.unanswered:
        return "Its tool did not say what this affects: this counts as critical"
    together = next((each for each in CRITICAL_TOGETHER if each <= kinds), None)
    return f"{sentence(in_order(together))}: this counts as critical" if together else None


def order(impact: Impact | None) -> int:
    """Sorts the gravest first, and what is done for the first time before the rest. 0 is the gravest of all."""
    if impact is None:
        return _HEAVIEST
    # What was there is not lost, if it can be put back.
    lost = {*impact.kinds} - ({ImpactKind.OVERWRITES} if impact.reversible else set[ImpactKind]())
    weight = sum(_WEIGHTS[kind] for kind in lost)
    if not impact.stated:
        weight = max(weight, _WEIGHTS[ImpactKind.LEAVES_HOUSE])
    return _HEAVIEST - 2 * weight - bool(impact.first_time)


def together(impacts: Sequence[Impact]) -> Impact:
    """Of several calls that are decided as one: all that any of them does."""
    texts = list(dict.fromkeys(impact.text for impact in impacts if impact.text))
    times = [impact.first_time for impact in impacts if impact.first_time is not None]
    return Impact(
        in_order(kind for impact in impacts for kind in impact.kinds),
        one_line("; ".join(texts)),
        all(impact.stated for impact in impacts),
        any(times) if times else None,
        any(impact.unanswered for impact in impacts),
        all(impact.reversible for impact in impacts),
    )


def by_operation(operation_type: str) -> Impact:
    """What is known of a call by its class alone. Reading changes nothing; of the rest there may be more to it."""
    return _BY_OPERATION.get(operation_type, NOT_KNOWN)


def _class(*kinds: ImpactKind) -> Impact:
    ordered = in_order(kinds)
    return replace(NOT_KNOWN, kinds=ordered, text=sentence(ordered))


_READS = Impact((), "Only reads", reversible=True)
_BY_OPERATION = {
    "read": _READS,
    "query": _READS,
    "search": _READS,
    "screenshot": Impact((), "Captures a screen", reversible=True),
    "own_means": Impact((), "Stays with the agent", reversible=True),
    "modify": _class(ImpactKind.OVERWRITES),
    "modify_critical": _class(ImpactKind.OVERWRITES),
    "delete": _class(ImpactKind.CANNOT_BE_UNDONE),
    "send_message": _class(ImpactKind.REACHES_PEOPLE, ImpactKind.CANNOT_BE_UNDONE),
    "send_email": _class(ImpactKind.LEAVES_HOUSE, ImpactKind.REACHES_PEOPLE, ImpactKind.CANNOT_BE_UNDONE),
    "external_api_call": _class(ImpactKind.LEAVES_HOUSE),
    "financial_transaction": _class(ImpactKind.MOVES_MONEY),
    "refund": _class(ImpactKind.MOVES_MONEY, ImpactKind.REACHES_CUSTOMERS),
}
