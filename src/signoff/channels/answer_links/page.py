"""The page behind an answer link: one ask, everything needed to decide it, and one button that does."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from markupsafe import Markup, escape

from signoff.asks.answers.argument_diff import Change
from signoff.asks.answers.outcome import RECOVERIES
from signoff.asks.effects.previews import dry_run_lines, in_lines
from signoff.asks.effects.veto import has_window, is_suspended
from signoff.asks.models import Ask
from signoff.asks.states import AskKind
from signoff.channels.answer_links.fields import Field, argument_fields, schema_fields
from signoff.channels.messages.choices import YES_OR_NO, yes_or_no
from signoff.kit import jsons
from signoff.kit.text.deceptive import visible

# Nothing but this page: no script, no picture, nowhere else to send a form, and nobody keeps or frames it.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Robots-Tag": "noindex, nofollow",
}
RECOVERY_WORDS = {
    "retry": "Try it again",
    "skip": "Skip it and go on",
    "done": "It happened: mark it as done",
}


@dataclass(frozen=True)
class Option:
    value: str
    label: str
    description: str = ""


@dataclass(frozen=True)
class Page:
    """What the template shows. Without `ask` it is a plain message."""

    title: str
    text: str = ""
    # good, bad or nothing in particular.
    mood: str = ""
    ask: Ask | None = None
    open_url: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    # What the agent gave beside: what happens if it is refused, and what it rests on.
    background: tuple[tuple[str, str], ...] = ()
    arguments: tuple[tuple[str, str], ...] = ()
    fields: tuple[Field, ...] = ()
    form: tuple[Field, ...] = ()
    options: tuple[Option, ...] = ()
    steps: tuple[dict[str, Any], ...] = ()
    changes: tuple[Change, ...] = ()
    # What goes along unseen when changes are confirmed.
    kept: str = ""
    # What was typed or ticked before: it is there again when something was wrong, or after a step back.
    given: Mapping[str, str] = field(default_factory=dict[str, str])
    problem: str = ""
    can_decide: bool = False
    # A button and where it posts to.
    confirm: tuple[str, str] | None = None


def ask_page(ask: Ask, open_url: str, *, problem: str = "", given: Mapping[str, str] | None = None) -> Page:
    """An open ask, as its person decides it, with what they have written so far."""
    written = given or {}
    kind = AskKind(ask.kind)
    # In full: nobody signs what was cut.
    proposed = [
        (name, each if isinstance(each, str) else jsons.dumps(each)) for name, each in (ask.arguments or {}).items()
    ]
    changes = in_lines(ask.preview, ask.arguments)
    if changes:
        proposed.append(("Changes", "\n".join(changes)))
    said = dry_run_lines(ask.preview)
    if said:
        proposed.append(("Dry run, in the server's own words", "\n".join(said)))
    editable = kind is AskKind.APPROVAL and ask.arguments is not None and not ask.call_ids
    return Page(
        title=ask.title,
        ask=ask,
        open_url=open_url,
        facts=tuple(_facts(ask)),
        background=tuple(_background(ask)),
        arguments=tuple(proposed),
        fields=_refilled(argument_fields(ask.arguments or {}, ask.arguments_schema or {}), written) if editable else (),
        form=_refilled(schema_fields(ask.schema or {}), written) if ask.response_type == "form" else (),
        given=written,
        options=_options(ask, kind),
        steps=tuple((ask.plan or {}).get("steps", ())),
        problem=problem,
        can_decide=True,
    )


def _facts(ask: Ask) -> list[tuple[str, str]]:
    facts = [("Agent", ask.agent_name or ask.agent), ("Run", ask.run_title)]
    if ask.tool:
        facts.append(("Tool", ask.tool))
    if ask.risk_level:
        facts.append(("Risk", ". ".join([ask.risk_level.capitalize(), *ask.risk_reasons])))
    impact = (ask.impact or {}).get("text")
    if impact:
        facts.append(("Impact", impact))
    if ask.rule:
        facts.append(("Rule", ask.rule))
    if ask.confidence is not None:
        facts.append(("Confidence", f"{ask.confidence:.0%}"))
    if ask.estimated_cost_credits:
        facts.append(("Cost", f"{ask.estimated_cost_credits:g} credits"))
    if ask.approvals_required > 1:
        signed = sum(1 for each in ask.signatures if each["decision"] == "approve")
        facts.append(("Signatures", f"{signed} of {ask.approvals_required}"))
    if (ask.impact or {}).get("reversible"):
        facts.append(("Undo", "Can be undone afterwards"))
    return [*facts, *_time(ask)]


def _time(ask: Ask) -> Iterator[tuple[str, str]]:
    if is_suspended(ask):
        yield "Runs by itself", "Not now: its time is suspended"
    elif ask.deadline:
        yield "Runs by itself" if has_window(ask) else "Answer until", f"{ask.deadline:%Y-%m-%d %H:%M} UTC"


def _background(ask: Ask) -> Iterator[tuple[str, str]]:
    if ask.alternatives:
        yield "If denied", ask.alternatives
    if ask.supporting_data is not None:
        given = ask.supporting_data
        yield "Supporting data", given if isinstance(given, str) else jsons.dumps(given)


def _refilled(fields: tuple[Field, ...], given: Mapping[str, str]) -> tuple[Field, ...]:
    return tuple(replace(each, value=given.get(each.name, each.value)) for each in fields)


def _options(ask: Ask, kind: AskKind) -> tuple[Option, ...]:
    if ask.response_type in YES_OR_NO:
        yes, no = yes_or_no(ask)
        return Option("true", yes), Option("false", no)
    own = [
        Option(jsons.dumps(each["value"]), str(each.get("label", each["value"])), each.get("description") or "")
        for each in ask.options or []
    ]
    if kind is AskKind.RECOVERY:
        known = {each.value for each in own}
        own += [
            Option(jsons.dumps(each), RECOVERY_WORDS[each]) for each in RECOVERIES if jsons.dumps(each) not in known
        ]
    return tuple(own)


def render(page: Page) -> str:
    return _template().render(page=page)


def _shown(value: Any) -> Any:
    """Everything that an agent wrote is shown as it is: what is hidden in it, too."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _template() -> Any:
    # Only when somebody follows a link: it takes a while to load.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment: Any = Environment(
        loader=PackageLoader("signoff.channels.answer_links"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # What goes back with the form goes back as it is.
    environment.globals["raw"] = escape
    environment.filters["json"] = jsons.dumps
    return environment.get_template("answer.html")
