"""A message as Block Kit. Pure: what agents wrote is shown as it is, bounded, and never means anything to Slack."""

from collections.abc import Iterable, Sequence

from signoff.channels.port import AskView, Fact, Link, Message
from signoff.channels.slack.texts import CUT, bold, bounded, length, plain
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

# Slack's own bounds.
HEADER, SECTION, FIELD, BUTTON, URL = 150, 3_000, 2_000, 75, 3_000
FIELDS_PER_SECTION = 10
# Ours, so that a message stays one that people read, and within what Slack takes as a whole.
MOST_FACTS, MOST_ARGUMENTS, MOST_LINKS, MOST_ITEMS = 15, 10, 5, 15
ARGUMENT, ALL_ARGUMENTS, DETAIL, ITEM, SHORT = 2_500, 6_000, 2_000, 500, 200
# More choices than this are offered in a modal.
MOST_BUTTONS = 5
APPROVE, DENY, EDIT, RESPOND, CHOICE, LINK = "approve", "deny", "edit", "respond", "choice", "link"
NOT_ALL = "Not all of it is shown here. Open it to read the rest."
LEVELS = {"high": ":warning: High risk", "critical": ":rotating_light: Critical risk"}


def summary(message: Message) -> str:
    """What a phone shows of it."""
    return bounded(f"{message.outcome}: {message.title}" if message.outcome else message.title, SECTION)


def blocks(message: Message) -> list[JsonObject]:
    ask = message.ask
    shown, is_cut = _arguments(ask.arguments if ask else ())
    is_cut = is_cut or _is_cut(message)
    found = [{"type": "header", "text": plain(message.title, HEADER)}]
    found += _standing(message)
    if message.text:
        found.append(_section(message.text))
    found += _pairs(message.facts[:MOST_FACTS])
    found += shown
    if message.detail:
        found += [{"type": "section", "text": bold("Why", FIELD)}, _section(message.detail, DETAIL)]
    found += _items(message)
    if ask is not None and message.outcome is None:
        found += _choices_in_words(ask)
    found += [{"type": "context", "elements": [plain(each, FIELD)]} for each in _notes(message, is_cut)]
    buttons = [] if message.outcome else [*_decisions(message, is_cut), *_links(message)]
    return [*found, {"type": "actions", "elements": buttons}] if buttons else found


def _is_cut(message: Message) -> bool:
    """Whether some of its words have no room, arguments aside."""
    too_long = (length(each.value) > FIELD for each in message.facts)
    long = length(message.title) > HEADER or length(message.text) > SECTION or length(message.detail) > DETAIL
    return long or len(message.facts) > MOST_FACTS or any(too_long)


def _standing(message: Message) -> list[JsonObject]:
    """Urgency and risk, in one line."""
    words = [":bell: Urgent"] if message.urgent else []
    if message.risk:
        words.append(LEVELS.get(message.risk, f"{message.risk.capitalize()} risk"))
    if not words:
        return []
    return [{"type": "context", "elements": [{"type": "mrkdwn", "text": bounded(" · ".join(words), FIELD)}]}]


def _section(text: str, most: int = SECTION) -> JsonObject:
    return {"type": "section", "text": plain(text, most)}


def _pairs(facts: Sequence[Fact]) -> list[JsonObject]:
    """Labels on the left, values on the right."""
    fields = [part for fact in facts for part in (bold(fact.label, FIELD), plain(fact.value, FIELD))]
    chunks = (fields[at : at + FIELDS_PER_SECTION] for at in range(0, len(fields), FIELDS_PER_SECTION))
    return [{"type": "section", "fields": chunk} for chunk in chunks]


def _arguments(arguments: Sequence[Fact]) -> tuple[list[JsonObject], bool]:
    """What is about to happen, as far as there is room, and whether something had none."""
    found, left, is_cut = list[JsonObject](), ALL_ARGUMENTS, len(arguments) > MOST_ARGUMENTS
    for fact in arguments[:MOST_ARGUMENTS]:
        size, room = length(fact.value.strip()), min(ARGUMENT, max(left, SHORT))
        is_cut = is_cut or size > room or fact.value.endswith(CUT)
        left -= min(size, room)
        if size <= SHORT and "\n" not in fact.value.strip():
            found += _pairs([fact])
        else:
            found += [{"type": "section", "text": bold(fact.label, SHORT)}, _section(fact.value, room)]
    return found, is_cut


def _items(message: Message) -> list[JsonObject]:
    """What a digest gathers: one line each, with a way there."""
    found = list[JsonObject]()
    for number, item in enumerate(message.items[:MOST_ITEMS], 1):
        line = _section(f"{item.title}\n{item.text}".strip(), ITEM)
        if 0 < len(item.open_url) <= URL:
            line["accessory"] = _link_button(message, f"{LINK}:item:{number}", Link("Open", item.open_url))
        found.append(line)
    more = len(message.items) - MOST_ITEMS
    return [*found, _section(f"and {more} more")] if more > 0 else found


def _choices_in_words(ask: AskView) -> list[JsonObject]:
    """What stands behind each choice, where its button has no room for it."""
    if not any(each.description or length(each.label) > BUTTON for each in ask.choices):
        return []
    lines = [f"{each.label}: {each.description}" if each.description else each.label for each in ask.choices]
    return [_section("\n".join(f"• {line}" for line in lines))]


def _notes(message: Message, is_cut: bool) -> Iterable[str]:
    if message.repeated:
        yield "This may be a repeat: it is not known whether the first one came through."
    if message.outcome:
        yield message.outcome
        return
    if is_cut:
        yield NOT_ALL
    ask = message.ask
    if ask is not None and ask.needs_sign_in:
        yield "This is decided in the app, by whoever signs in there."
    elif ask is not None and ask.response_type == "form":
        yield "This is answered with a form: open it."


def _decisions(message: Message, is_cut: bool) -> list[JsonObject]:
    ask = message.ask
    if ask is None or ask.needs_sign_in:
        return []
    found = list[JsonObject]()
    if "approve" in ask.decisions:
        approve = _button(message, APPROVE, "Approve") | {"style": "primary"}
        found.append(approve | ({"confirm": _CONFIRM} if is_cut else {}))
    if "deny" in ask.decisions:
        found.append(_button(message, DENY, "Deny") | {"style": "danger"})
    if "approve" in ask.decisions and ask.editable:
        found.append(_button(message, EDIT, "Edit"))
    if "respond" in ask.decisions and ask.response_type != "form":
        found += _responses(message, ask)
    return found


_CONFIRM: JsonObject = {
    "title": plain("Approve unread?", 100),
    "text": plain("Not all of it is shown in this message. Approve it all the same?", 300),
    "confirm": plain("Approve", 30),
    "deny": plain("Go back", 30),
}


def _responses(message: Message, ask: AskView) -> list[JsonObject]:
    if 0 < len(ask.choices) <= MOST_BUTTONS:
        return [_button(message, f"{CHOICE}:{each.number}", each.label) for each in ask.choices]
    # What can be approved as it is can also be sent back with other words.
    label = "Reply" if "approve" in ask.decisions else "Answer"
    return [_button(message, RESPOND, label)]


def _links(message: Message) -> list[JsonObject]:
    given = list(message.links[:MOST_LINKS])
    if message.answer_url:
        given.insert(0, Link("Answer page", message.answer_url))
    if message.open_url:
        given.insert(0, Link("Open", message.open_url))
    usable = [each for each in given if len(each.url) <= URL]
    return [_link_button(message, f"{LINK}:{number}", each) for number, each in enumerate(usable, 1)]


def _link_button(message: Message, action: str, link: Link) -> JsonObject:
    return _button(message, action, link.label) | {"url": link.url}


def _button(message: Message, action: str, label: str) -> JsonObject:
    """It carries back which message it is on, and what that one showed."""
    value = jsons.dumps({"d": message.id, "g": message.ask.digest if message.ask else None})
    return {"type": "button", "action_id": action, "text": plain(label, BUTTON), "value": value}
