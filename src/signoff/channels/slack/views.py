"""Modals: a reason, arguments, an answer. Pure. What a modal is about comes back with it, signed by Slack."""

from dataclasses import dataclass
from typing import Any, cast

from signoff.asks.models import Ask
from signoff.channels.messages import words
from signoff.channels.messages.choices import offered
from signoff.channels.port import Choice
from signoff.channels.slack.arguments import written
from signoff.channels.slack.blocks import DENY, EDIT
from signoff.channels.slack.texts import length, plain
from signoff.kit import jsons
from signoff.kit.errors import FieldError, Invalid
from signoff.kit.jsons import Json, JsonObject
from signoff.kit.text.masking import masked

# Slack's own bounds.
TITLE, LABEL, OPTION, INPUT, SECTION = 24, 2_000, 75, 3_000, 3_000
MOST_INPUTS, MOST_RADIO, MOST_OPTIONS = 90, 10, 100
MOST_SAID = 500
NOTE, END_RUN, VALUE, ARGUMENT = "note", "end_run", "value", "argument"
# Every input has one element.
ELEMENT = "given"


@dataclass(frozen=True)
class About:
    """What a modal decides, by which message, and what that one showed."""

    delivery_id: str
    action: str
    digest: str | None
    # The conversation in which whoever pressed is told how it went.
    place: str

    def packed(self) -> str:
        return jsons.dumps({"d": self.delivery_id, "a": self.action, "g": self.digest, "c": self.place})


def deny_view(about: About, ask: Ask) -> JsonObject:
    fields = [_input(NOTE, "Reason", _text_input("", multiline=True), optional=True, hint="The agent reads it.")]
    if ask.run_id:
        ends = {"type": "checkboxes", "action_id": ELEMENT, "options": [_option("end", "End the run")]}
        fields.append(_input(END_RUN, "And then", ends, optional=True, hint="This needs a reason."))
    return _view(about, ask, "Deny", "Deny", fields)


def edit_view(about: About, ask: Ask) -> JsonObject | None:
    """Nothing where no argument can be edited here."""
    arguments, shown = ask.arguments or {}, inputs(ask)
    fields = [
        _input(
            block,
            name,
            _text_input(written(arguments[name]), multiline=isinstance(arguments[name], str)),
            optional=True,
        )
        for block, name in shown.items()
    ]
    left_out = [name for name in arguments if name not in shown.values()]
    if left_out:
        why = f"Too long or too secret to edit here, so they stay as they are: {', '.join(left_out)}"
        fields.append({"type": "context", "elements": [plain(why, LABEL)]})
    return _view(about, ask, "Edit and approve", "Approve", fields) if shown else None


def inputs(ask: Ask) -> dict[str, str]:
    """The arguments that can be edited here, by the block that each is in."""
    named = enumerate((ask.arguments or {}).items())
    fitting = {f"{ARGUMENT}:{at}": name for at, (name, value) in named if _fits(name, value)}
    return dict(list(fitting.items())[:MOST_INPUTS])


def _fits(name: str, value: Json) -> bool:
    """Whether it is short enough, and holds no secret: that is not for Slack to know."""
    return length(written(value)) <= INPUT and masked({name: value}) == {name: value}


def respond_view(about: About, ask: Ask) -> JsonObject | None:
    """Nothing where a modal cannot ask for it: a form, or more choices than Slack has room for."""
    choices = [choice for choice, _ in offered(ask)]
    if ask.response_type == "form" or len(choices) > MOST_OPTIONS:
        return None
    is_number = ask.response_type == "number"
    element = _choice_input(choices) if choices else _text_input("", multiline=not is_number)
    is_question = ask.response_type is not None
    label = "Answer" if is_question else "What should the agent do instead?"
    return _view(about, ask, "Answer" if is_question else "Reply", "Send", [_input(VALUE, label, element)])


def notice_view(text: str) -> JsonObject:
    """Says how it stands, in place of a modal that can no longer decide."""
    return {
        "type": "modal",
        "title": plain("Signoff", TITLE),
        "close": plain("Close", TITLE),
        "blocks": [{"type": "section", "text": plain(text, SECTION)}],
    }


def problems_at(action: str, ask: Ask, error: Invalid) -> dict[str, str]:
    """What is wrong, at the inputs of the modal."""
    blocks = inputs(ask) if action == EDIT else {NOTE if action == DENY else VALUE: ""}
    found = dict[str, str]()
    for each in error.errors or (FieldError("", error.detail),):
        place = each.path.removeprefix("arguments.")
        own = (block for block, name in blocks.items() if name and (place == name or place.startswith(f"{name}.")))
        block = next(own, next(iter(blocks)))
        found.setdefault(block, f"{each.message[:1].upper()}{each.message[1:]}"[:MOST_SAID])
    return found


def typed(values: JsonObject, block: str) -> str:
    """What somebody wrote into an input; nothing is an empty text."""
    found = _element(values, block).get("value")
    return found if isinstance(found, str) else ""


def chosen(values: JsonObject, block: str) -> str | None:
    """The choice that somebody made, by its number."""
    option = _element(values, block).get("selected_option")
    found = cast("JsonObject", option).get("value") if isinstance(option, dict) else None
    return found if isinstance(found, str) else None


def is_ticked(values: JsonObject, block: str) -> bool:
    return bool(_element(values, block).get("selected_options"))


def _element(values: JsonObject, block: str) -> JsonObject:
    inside = values.get(block)
    element: Any = cast("JsonObject", inside).get(ELEMENT) if isinstance(inside, dict) else None
    return cast("JsonObject", element) if isinstance(element, dict) else {}


def _view(about: About, ask: Ask, title: str, submit: str, fields: list[JsonObject]) -> JsonObject:
    return {
        "type": "modal",
        "callback_id": about.action,
        "private_metadata": about.packed(),
        "title": plain(title, TITLE),
        "submit": plain(submit, TITLE),
        "close": plain("Cancel", TITLE),
        "blocks": [{"type": "section", "text": plain(words.title(ask.title), SECTION)}, *fields],
    }


def _input(block: str, label: str, element: JsonObject, *, optional: bool = False, hint: str = "") -> JsonObject:
    field: JsonObject = {"type": "input", "block_id": block, "label": plain(label, LABEL), "element": element}
    return field | {"optional": optional} | ({"hint": plain(hint, LABEL)} if hint else {})


def _text_input(initial: str, *, multiline: bool) -> JsonObject:
    element: JsonObject = {"type": "plain_text_input", "action_id": ELEMENT, "multiline": multiline}
    return element | {"max_length": INPUT} | ({"initial_value": initial} if initial else {})


def _choice_input(choices: list[Choice]) -> JsonObject:
    kind = "radio_buttons" if len(choices) <= MOST_RADIO else "static_select"
    options = [_option(str(each.number), each.label, each.description) for each in choices]
    return {"type": kind, "action_id": ELEMENT, "options": options}


def _option(value: str, label: str, description: str = "") -> JsonObject:
    option: JsonObject = {"text": plain(label, OPTION), "value": value}
    return option | ({"description": plain(description, OPTION)} if description else {})
