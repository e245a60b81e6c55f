"""Every type of event with the shape of its data, for the OpenAPI page and the clients made from it."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel, Field, TypeAdapter, create_model

from signoff.asks import events as asks
from signoff.deliverables.events import DELIVERABLE_CREATED
from signoff.kit.db.events import EventType
from signoff.kit.jsons import JsonObject
from signoff.notifications.events import NOTIFICATION_CREATED
from signoff.rules.events import RULES_CHANGED
from signoff.runs import events as runs
from signoff.runs.pause_all.events import PAUSE_ALL_CHANGED

DECLARED: tuple[EventType[Any], ...] = (
    runs.RUN_CREATED,
    runs.RUN_STATUS,
    runs.RUN_PROGRESS,
    runs.RUN_STEP,
    runs.RUN_MESSAGE,
    runs.RUN_DELTA,
    runs.RUN_ENDED,
    runs.CALL_STARTED,
    runs.CALL_PROGRESS,
    runs.CALL_FINISHED,
    runs.LIMIT_WARNING,
    PAUSE_ALL_CHANGED,
    asks.ASK_CREATED,
    asks.ASK_UPDATED,
    asks.ASK_SETTLED,
    asks.ASK_VIEWING,
    DELIVERABLE_CREATED,
    NOTIFICATION_CREATED,
    RULES_CHANGED,
)
ABOUT = "One thing that happened: the `data:` of one message of the stream, or one message of the WebSocket."
# A type, as `typing` has them: a class, a union, something annotated.
Hint: TypeAlias = Any


def _without_default(schema: JsonObject) -> None:
    """A key that may be missing is never null where it stands."""
    schema.pop("default", None)


_LEFT_OUT: Any = Field(default=None, json_schema_extra=_without_default)


def _shape(typed: Hint, known: dict[Hint, type[BaseModel]]) -> type[BaseModel]:
    """A model of a typed dictionary. pydantic takes those of `typing` itself only from Python 3.12 on."""
    if typed not in known:
        optional: frozenset[str] = typed.__optional_keys__
        fields: dict[str, Any] = {
            name: (_hint(hint, known), _LEFT_OUT if name in optional else ...)
            for name, hint in get_type_hints(typed, include_extras=True).items()
        }
        known[typed] = create_model(typed.__name__, __doc__=typed.__doc__, **fields)
    return known[typed]


def _hint(hint: Hint, known: dict[Hint, type[BaseModel]]) -> Hint:
    """The same with models in place of typed dictionaries, and with the words that a text is one of."""
    if is_typeddict(hint):
        return _shape(hint, known)
    parts = get_args(hint)
    if get_origin(hint) is NotRequired:
        return _hint(parts[0], known)
    if get_origin(hint) is Annotated:
        return parts[1]
    if type(None) in parts:
        return _union([_hint(part, known) for part in parts])
    return hint


def _union(hints: Sequence[Hint]) -> Hint:
    first, *more = hints
    for each in more:
        first |= each
    return first


def _event(kind: EventType[Any], shape: type[BaseModel]) -> type[BaseModel]:
    name = "".join(part.capitalize() for part in kind.name.split("."))
    fields: dict[str, Any] = {
        "id": (int | None, Field(description="The position in the stream; none for what is not stored.")),
        "type": (Literal[kind.name], ...),
        "run_id": (str | None, ...),
        "at": (datetime, ...),
        "data": (shape, ...),
    }
    return create_model(f"{name}Event", **fields)


@cache
def event_adapter() -> TypeAdapter[Any]:
    """Any event, told apart by its type. Made when it is first asked for: a server that starts does not need it."""
    known = dict[Hint, type[BaseModel]]()
    models = [_event(kind, _shape(kind.shape, known)) for kind in DECLARED]
    union = _union(models)
    return TypeAdapter[Any](Annotated[union, Field(discriminator="type")])


def add_events(document: JsonObject) -> JsonObject:
    """Put the types of events into an OpenAPI document, beside what its routes take and give."""
    shapes: JsonObject = document["components"]["schemas"]
    union = event_adapter().json_schema(ref_template="#/components/schemas/{model}")
    shapes |= union.pop("$defs")
    shapes["Event"] = {"title": "Event", "description": ABOUT, **union}
    # A run's activity is made of events, too.
    del shapes["ActivityOut"]
    shapes["Page_ActivityOut_"]["properties"]["items"]["items"] = {"$ref": "#/components/schemas/Event"}
    return document
