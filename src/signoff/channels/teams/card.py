"""A message as an Adaptive Card. Pure: links lead to the app, since a card by webhook brings nothing back."""

from collections.abc import Iterable, Sequence

from signoff.channels.port import AskView, Fact, Link, Message
from signoff.channels.teams.markdown import bounded
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

SCHEMA, VERSION = "http://adaptivecards.io/schemas/adaptive-card.json", "1.5"
CONTENT_TYPE = "application/vnd.microsoft.card.adaptive"
# Teams takes 28 KB; what is around the card needs some of it.
MOST_BYTES = 26_000
MOST_FACTS, MOST_ARGUMENTS, MOST_ITEMS, MOST_CHOICES = 15, 10, 10, 10
# More buttons than this are not shown.
MOST_ACTIONS, LONGEST_URL, LONGEST_LABEL, SHORT = 6, 500, 40, 200
# How long a text may be: the first with which all of it fits.
LENGTHS = (2_000, 1_000, 500, 200, 100, 40)
# What an approval signs is not shortened up to here: all the rest of a card has room beside it.
MOST_SIGNED, LONGEST_TITLE = 12_000, 240
REFERENCE = 8

WENT_WRONG = frozenset({"failed", "rejected", "timeout", "expiry", "cancelled"})
STYLES = {"critical": "attention", "high": "warning"}
COLORS = {"attention": "attention", "warning": "warning", "good": "good"}


def payload(message: Message, *, takes_answers: bool = False) -> JsonObject:
    """What a webhook of Teams is sent."""
    found: JsonObject = {}
    for most in LENGTHS:
        card = _card(message, most, takes_answers)
        attachment = {"contentType": CONTENT_TYPE, "contentUrl": None, "content": card}
        found = {"type": "message", "attachments": [attachment]}
        if len(jsons.dumps(found).encode()) <= MOST_BYTES:
            break
    return found


def reference(ask_id: str) -> str:
    """By what people name an ask where they cannot press it."""
    return ask_id[-REFERENCE:]


def shows_all(ask: AskView, text: str) -> bool:
    """Whether a card shows all that an approval signs: only then it can be approved by writing."""
    if len(ask.arguments) > MOST_ARGUMENTS or any(len(each.label) > LONGEST_LABEL for each in ask.arguments):
        return False
    signed = [text, *(each.value for each in ask.arguments)]
    weight = len(jsons.dumps([bounded(each, LENGTHS[0]) for each in signed]).encode())
    return all(len(each) <= LENGTHS[0] for each in signed) and weight <= MOST_SIGNED


def _card(message: Message, most: int, takes_answers: bool) -> JsonObject:
    is_whole = message.ask is not None and shows_all(message.ask, message.text)
    for_signed = LENGTHS[0] if is_whole else most
    body = [_headline(message, for_signed)]
    if message.text:
        body.append(_text(message.text, for_signed, spacing="medium"))
    body += _facts(message.facts[:MOST_FACTS], most)
    body += _arguments(message, for_signed)
    if message.detail:
        body += [_label("Why"), _text(message.detail, most)]
    body += _items(message, most)
    body += _choices(message, most)
    body += [_text(each, most, isSubtle=True, spacing="medium") for each in _notes(message, takes_answers)]
    card: JsonObject = {"type": "AdaptiveCard", "$schema": SCHEMA, "version": VERSION, "body": body}
    actions = [_open(each) for each in _links(message)]
    return card | ({"actions": actions} if actions else {})


def _headline(message: Message, most: int) -> JsonObject:
    style = _style(message)
    title = _text(message.title, min(most, LONGEST_TITLE), weight="bolder", size="large")
    title |= {"color": COLORS[style]} if style in COLORS else {}
    words = ["Urgent"] if message.urgent else []
    words += [f"{message.risk.capitalize()} risk"] if message.risk else []
    below = [_text(" · ".join(words), most, isSubtle=True, spacing="none")] if words else []
    return {"type": "Container", "style": style, "bleed": True, "items": [title, *below]}


def _style(message: Message) -> str:
    if message.outcome:
        return "good" if message.outcome.startswith(("Approved", "Answered")) else "emphasis"
    if message.kind in WENT_WRONG:
        return "attention"
    return "good" if message.kind == "completed" else STYLES.get(message.risk or "", "emphasis")


def _text(text: str, most: int, **more: object) -> JsonObject:
    return {"type": "TextBlock", "text": bounded(text, most), "wrap": True, **more}


def _label(text: str) -> JsonObject:
    return _text(text, LONGEST_LABEL, weight="bolder", spacing="medium")


def _facts(facts: Sequence[Fact], most: int) -> list[JsonObject]:
    pairs = [{"title": bounded(each.label, LONGEST_LABEL), "value": bounded(each.value, most)} for each in facts]
    return [{"type": "FactSet", "facts": pairs}] if pairs else []


def _arguments(message: Message, most: int) -> list[JsonObject]:
    """Short ones side by side with their names, long ones below them, in letters of one width."""
    given = message.ask.arguments if message.ask else ()
    found = list[JsonObject]()
    for fact in given[:MOST_ARGUMENTS]:
        if len(fact.value) <= SHORT and "\n" not in fact.value:
            found += _facts([fact], most)
        else:
            found += [_label(fact.label), _text(fact.value, most, fontType="monospace")]
    left = len(given) - MOST_ARGUMENTS
    return [*found, _text(f"{left} more: open it to see all.", most)] if left > 0 else found


def _items(message: Message, most: int) -> list[JsonObject]:
    """What a digest gathers; each leads to where it is."""
    found = list[JsonObject]()
    for item in message.items[:MOST_ITEMS]:
        lines = [_text(item.title, min(most, SHORT), weight="bolder")]
        lines += [_text(item.text, min(most, SHORT), spacing="none")] if item.text else []
        one: JsonObject = {"type": "Container", "items": lines, "separator": True}
        link = Link("Open", item.open_url)
        found.append(one | ({"selectAction": _open(link)} if _is_usable(link) else {}))
    left = len(message.items) - MOST_ITEMS
    return [*found, _text(f"and {left} more", most)] if left > 0 else found


def _choices(message: Message, most: int) -> list[JsonObject]:
    given = message.ask.choices[:MOST_CHOICES] if message.ask and not message.outcome else ()
    if not given:
        return []
    lines = (f"{each.label}: {each.description}" if each.description else each.label for each in given)
    return [_label("Choices"), *(_text(f"• {line}", min(most, SHORT), spacing="none") for line in lines)]


def _notes(message: Message, takes_answers: bool) -> Iterable[str]:
    if message.repeated:
        yield "This may be a repeat: it is not known whether the first one came through."
    if message.outcome:
        yield message.outcome
    elif message.ask and message.ask.needs_sign_in:
        yield "This is decided in the app, by whoever signs in there."
    elif message.ask and takes_answers and "deny" in message.ask.decisions:
        short = reference(message.ask.id)
        if "approve" in message.ask.decisions and shows_all(message.ask, message.text):
            yield f"Ask {short}. Decide it here: mention Signoff and write approve {short}, or deny {short} and why."
        else:
            yield f"Ask {short}. Not all of it is shown here: open it to approve it, or write deny {short} and why."


def _links(message: Message) -> list[Link]:
    first = Link("Open" if message.ask else "View details", message.open_url)
    return [each for each in (first, *message.links) if _is_usable(each)][:MOST_ACTIONS]


def _is_usable(link: Link) -> bool:
    return 0 < len(link.url) <= LONGEST_URL


def _open(link: Link) -> JsonObject:
    # A button's label is no Markdown.
    return {"type": "Action.OpenUrl", "title": link.label[:LONGEST_LABEL] or "Open", "url": link.url}
