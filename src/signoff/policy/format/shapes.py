"""The small shapes that the rules' YAML is made of, and how their short forms are read."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Annotated, Any, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from signoff.kit.text.fields import Name
from signoff.policy.call import RULED_KINDS
from signoff.policy.hours import Window, windows, zone
from signoff.policy.impact import IMPACT_WORDS, ImpactKind
from signoff.policy.operators import OPERATORS, ORDERS, Operator, Order, moment, number
from signoff.policy.problems import Misfits, unknown
from signoff.policy.risk import Risk

T = TypeVar("T")
DAY_SECONDS = 24 * 3600
_SHORT = re.compile(r"\s*([<>=!]+)(.*)")
ROLES = ("viewer", "member", "approver", "admin")


class Part(BaseModel):
    """A block of the file: known keys only, each with a value, each of its own type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def every_key_has_a_value(cls, given: Any) -> Any:
        if isinstance(given, dict):
            block = cast("dict[str, Any]", given)
            blank = [key for key, value in block.items() if value is None]
            if blank:
                raise Misfits(*((key, f"`{key}` has no value: write one, or leave the key out") for key in blank))
        return cast("Any", given)


def _one_or_many(value: Any) -> Any:
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else (value,)


def _list(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(cast("list[Any]", value))
    raise ValueError("this must be a list: start each entry with `- `")


def _word(kind: str, words: tuple[str, ...]) -> Callable[[Any], Any]:
    def known(value: Any) -> Any:
        if isinstance(value, str) and value in words:
            return value
        raise ValueError(unknown(kind, _shown(value), words))

    return known


def _shown(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{…}"
        case list():
            return "[…]"
        case _:
            return str(value)


def _risk(value: Any) -> Any:
    return Risk(_word("risk level", tuple(Risk))(value))


def _impact(value: Any) -> Any:
    return ImpactKind(_word("impact", tuple(ImpactKind))(value))


def _operator(words: tuple[str, ...]) -> Callable[[Any], Any]:
    known = _word("operator", words)

    def read(value: Any) -> Any:
        if value == "":
            raise ValueError('the operator is empty; > must be in quotes: ">"')
        return known("==" if value == "=" else value)

    return read


def _path(value: Any) -> Any:
    if isinstance(value, str) and value and not all(part.strip() for part in value.split(".")):
        raise ValueError(f"`{value}` is not a field; write names separated by dots, such as `order.total`")
    return value


def _approver(value: Any) -> Any:
    if not isinstance(value, str) or not value.strip():
        return value
    name = value.strip()
    if name in ROLES:
        return f"role:{name}"
    kind, colon, rest = name.partition(":")
    if colon and (kind not in ("role", "group") or not rest.strip()):
        raise ValueError(
            f"`{name}` is not a person, role or group; write an email, a user id, `role:approver` or `group:finance`"
        )
    if kind == "role" and colon and rest not in ROLES:
        raise ValueError(unknown("role", rest, ROLES))
    return name


def _day(value: Any) -> Any:
    try:
        return datetime.combine(date.fromisoformat(value), time(), UTC)
    except (TypeError, ValueError):
        raise ValueError(f"`{_shown(value)}` is not a date; write it like 2026-01-31") from None


def _moment(value: Any) -> Any:
    found = moment(value)
    if found is None or datetime.fromisoformat(value).tzinfo is None:
        raise ValueError(f"`{_shown(value)}` is not a time; write it with its time zone, like 2026-01-31T09:30:00Z")
    return found


def _windows(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError(f'`{_shown(value)}` is not a time range; write "09:00-17:00" or "disabled"')
    return windows(value)


def _zone(value: Any) -> Any:
    if not isinstance(value, str):
        raise ValueError(f"`{_shown(value)}` is not a time zone; write a name such as `Europe/Berlin` or `UTC`")
    return zone(value).key


OneOrMany = Annotated[tuple[T, ...], BeforeValidator(_one_or_many), Field(min_length=1)]
ManyOf = Annotated[tuple[T, ...], BeforeValidator(_list)]
RiskLevel = Annotated[Risk, BeforeValidator(_risk)]
ImpactWord = Annotated[ImpactKind, BeforeValidator(_impact)]
ImpactCondition = Annotated[str, BeforeValidator(_word("impact", IMPACT_WORDS))]
AnyOperator = Annotated[Operator, BeforeValidator(_operator(OPERATORS))]
OrderOperator = Annotated[Order, BeforeValidator(_operator(ORDERS))]
FieldPath = Annotated[Name, BeforeValidator(_path)]
Approver = Annotated[Name, BeforeValidator(_approver)]
Day = Annotated[datetime, BeforeValidator(_day)]
Moment = Annotated[datetime, BeforeValidator(_moment)]
Windows = Annotated[tuple[Window, ...], BeforeValidator(_windows)]
Zone = Annotated[str, BeforeValidator(_zone)]
Seconds = Annotated[float, Field(ge=1, le=30 * DAY_SECONDS)]
Percent = Annotated[float, Field(ge=0, le=100)]
RuledKind = Annotated[
    str, BeforeValidator(_word("ask_kind", RULED_KINDS)), Field(json_schema_extra={"enum": list(RULED_KINDS)})
]
ON_TIMEOUT = ("default", "deny", "cancel", "fail", "escalate", "approve")
OnTimeout = Annotated[str, BeforeValidator(_word("on_timeout", ON_TIMEOUT))]


def short_comparison(value: Any) -> Any:
    """`>= 0.8` for {operator: ">=", value: 0.8}."""
    if isinstance(value, dict):
        return cast("Any", value)
    found = _SHORT.fullmatch(value) if isinstance(value, str) else None
    bound = number(found[2]) if found else None
    if found is None or bound is None:
        raise ValueError(f'`{_shown(value)}` is not a comparison; write an operator and a number, such as ">= 0.8"')
    return {"operator": found[1], "value": bound}
