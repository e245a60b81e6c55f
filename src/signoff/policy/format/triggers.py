"""When a rule speaks: the conditions of its trigger, and examples of calls it must and must not match."""

from typing import Annotated, Any, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from signoff.kit.jsons import Json, JsonObject
from signoff.kit.text.fields import Name
from signoff.policy.argument_kinds import KINDS, is_kind
from signoff.policy.format.shapes import (
    AnyOperator,
    FieldPath,
    ImpactCondition,
    ImpactWord,
    ManyOf,
    Moment,
    OneOrMany,
    OrderOperator,
    Part,
    RiskLevel,
    RuledKind,
    Windows,
    Zone,
    short_comparison,
)
from signoff.policy.hours import DAYS, Window
from signoff.policy.operators import COMPARING, SEARCHING, moment, number, read_like
from signoff.policy.problems import Misfits, unknown

_LIKE = 'a pattern; write for example `value: "reports/*.md"`, `"https://example.com/docs/**"` or `"WEB-{digits}"`'


def _known_kinds(given: dict[str, str] | None) -> dict[str, str] | None:
    for path, kind in (given or {}).items():
        if not is_kind(kind):
            raise Misfits((path, unknown("kind", kind, (*KINDS, "up to 3 texts"))))
    return given


class Comparison(Part):
    """A number against a bound."""

    operator: OrderOperator = Field(examples=['">="'])
    value: float = Field(examples=[10])


class ConfidenceComparison(Comparison):
    value: float = Field(ge=0, le=1, examples=[0.8])


class Threshold(Part):
    """A field of the call against a value."""

    field: FieldPath = Field(examples=["amount"])
    operator: AnyOperator = Field(examples=['">"'])
    value: Json = None

    @model_validator(mode="after")
    def the_value_fits_the_operator(self) -> "Threshold":
        wanted = _wanted(self.operator, self.value)
        if wanted:
            raise Misfits(("value", f"`{self.operator}` compares with {wanted}"))
        return self


class Hours(Part):
    """Hours of the week in a time zone. A single day counts before its group; a day not named is closed."""

    timezone: Zone = "UTC"
    monday_friday: Windows = ()
    saturday_sunday: Windows = ()
    monday: Windows | None = None
    tuesday: Windows | None = None
    wednesday: Windows | None = None
    thursday: Windows | None = None
    friday: Windows | None = None
    saturday: Windows | None = None
    sunday: Windows | None = None

    @model_validator(mode="after")
    def some_day_is_named(self) -> "Hours":
        if not self.model_fields_set - {"timezone"}:
            raise ValueError('no day is named; write for example `monday_friday: "09:00-17:00"`')
        return self

    def days(self) -> tuple[tuple[Window, ...], ...]:
        """The windows from Monday to Sunday."""
        groups = [self.monday_friday] * 5 + [self.saturday_sunday] * 2
        alone: list[tuple[Window, ...] | None] = [getattr(self, day) for day in DAYS]
        return tuple(group if day is None else day for day, group in zip(alone, groups, strict=True))


class Trigger(Part):
    """Conditions that must all hold. None at all means every call; what is no call is met by its `ask_kind` alone."""

    ask_kind: OneOrMany[RuledKind] = ()
    risk_level: OneOrMany[RiskLevel] = ()
    impact: OneOrMany[ImpactCondition] = ()
    # Whether Signoff could take it back afterwards.
    reversible: bool | None = None
    operation_type: OneOrMany[Name] = ()
    tool: OneOrMany[Name] = ()
    agent: OneOrMany[Name] = ()
    workflow: OneOrMany[Name] = ()
    # Whether the clock started the run, by a schedule.
    scheduled: bool | None = None
    data_threshold: OneOrMany[Threshold] = ()
    custom_field: OneOrMany[Threshold] = ()
    # Exactly these, each of its kind; a call with one more, one less or another kind is another call.
    arguments: Annotated[dict[FieldPath, str] | None, AfterValidator(_known_kinds)] = None
    agent_confidence: Annotated[ConfidenceComparison | None, BeforeValidator(short_comparison)] = None
    confidence: Annotated[ConfidenceComparison | None, BeforeValidator(short_comparison)] = None
    cost: Annotated[Comparison | None, BeforeValidator(short_comparison)] = None
    hours: Hours | None = None
    outside_hours: Hours | None = None

    @model_validator(mode="after")
    def confidence_is_given_once(self) -> "Trigger":
        if self.confidence and self.agent_confidence:
            raise Misfits(("confidence", "`confidence` and `agent_confidence` are the same; keep one of them"))
        return self


class Example(BaseModel):
    """A call for trying a rule. What it does not say of tool, risk, agent and the like is taken to fit."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    ask_kind: RuledKind | None = None
    tool: str | None = None
    arguments: JsonObject = {}
    operation_type: str | None = None
    risk_level: RiskLevel | None = None
    impact: OneOrMany[ImpactWord] | None = None
    reversible: bool | None = None
    confidence: float | None = None
    cost: float | None = None
    agent: str | None = None
    workflow: str | None = None
    scheduled: bool | None = None
    at: Moment | None = None
    context: JsonObject = {}


def _bare(value: Any) -> Any:
    """Arguments alone are an example, too."""
    if not isinstance(value, dict):
        return value
    given = cast("JsonObject", value)
    return given if Example.model_fields.keys() & given.keys() else {"arguments": given}


class Examples(Part):
    """Calls that a rule must match, and calls that it must not."""

    match: ManyOf[Annotated[Example, BeforeValidator(_bare)]] = ()
    no_match: ManyOf[Annotated[Example, BeforeValidator(_bare)]] = ()


def _wanted(operator: str, value: Json) -> str | None:
    """What an operator compares with, if `value` is nothing of the kind."""
    if operator in COMPARING:
        fits = number(value) is not None or moment(value) is not None
        return None if fits else "a number or a date; write for example `value: 1000`"
    if operator in SEARCHING:
        return None if isinstance(value, str) and value else 'a text; write for example `value: "@example.com"`'
    several = cast("list[Json]", value) if isinstance(value, list) else []
    if operator == "like":
        places = several or [value]
        return None if all(map(read_like, places)) else _LIKE
    if operator in ("in", "not_in"):
        return (
            None
            if several and all(_is_plain(each) for each in several)
            else "a list; write for example `value: [EU, CH]`"
        )
    if operator == "exists":
        return None if value is None or isinstance(value, bool) else "`true` or `false`"
    return None if _is_plain(value) else "one text, number or boolean; for several write `in` and a list"


def _is_plain(value: Json) -> bool:
    return isinstance(value, str | int | float | bool)
