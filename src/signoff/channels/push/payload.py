"""What a browser shows of a message: a title, a line or two, and at most two buttons."""

from urllib.parse import urlsplit

from signoff.asks.states import AskKind
from signoff.channels.port import AskView, Message
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

# What a push service takes, less what sealing adds. No character takes more than six bytes.
MOST_BYTES = 3_993
MOST_IN_TITLE = 120
MOST_IN_BODY = 400
MOST_ITEMS = 4
YES_OR_NO = {"true": "Yes", "false": "No"}
APPROVE, DENY = {"action": "approve", "title": "Approve"}, {"action": "deny", "title": "Deny"}


def tag_of(message: Message) -> str:
    """What a later message takes the place of: another one about the same ask, else about the same run."""
    return message.ask.id if message.ask else message.thread or message.id


def payload(message: Message, tag: str, *, is_change: bool = False) -> bytes:
    """As the service worker reads it. Approve signs what stands there, so it is offered only where all of it does."""
    body = message.outcome or _body(message)
    shown: JsonObject = {
        "title": _short(message.title, MOST_IN_TITLE),
        "body": _short(body, MOST_IN_BODY),
        "tag": tag,
        "url": _path(message.open_url) or "/inbox",
    }
    if is_change:
        # It takes the place of what is there, and calls nobody.
        shown["silent"] = True
    elif message.answer_url and message.ask and _is_decided_by_a_button(message.ask):
        whole = "approve" in message.ask.decisions and len(body) <= MOST_IN_BODY and len(message.title) <= MOST_IN_TITLE
        shown["actions"] = [APPROVE, DENY] if whole else [DENY]
        shown["answer"] = {"url": _path(message.answer_url)}
    elif message.answer_url and message.ask and _is_yes_or_no(message.ask) and len(body) <= MOST_IN_BODY:
        # Named as the form of the answer page says it.
        shown["actions"] = [{"action": value, "title": title} for value, title in YES_OR_NO.items()]
        forms = {value: {"decision": "respond", "value": value} for value in YES_OR_NO}
        shown["answer"] = {"url": _path(message.answer_url), "forms": forms}
    sealed = jsons.dumps(shown).encode()
    assert len(sealed) <= MOST_BYTES, len(sealed)
    return sealed


def _is_decided_by_a_button(ask: AskView) -> bool:
    return ask.kind == AskKind.APPROVAL.value and "deny" in ask.decisions and not ask.needs_sign_in


def _is_yes_or_no(ask: AskView) -> bool:
    """Nothing that lets somebody act: that is approved where all of it can be read."""
    return ask.response_type == "boolean" and [each.label for each in ask.choices] == [*YES_OR_NO.values()]


def _body(message: Message) -> str:
    """Of an ask, who asks where, what would come of it, and with what; of a digest, what it gathers."""
    if message.items:
        return "\n".join(each.title for each in message.items[:MOST_ITEMS])
    facts = {each.label: each.value for each in message.facts} if message.ask else {}
    origin = " · ".join(facts[label] for label in ("Agent", "Run") if facts.get(label))
    arguments = (f"{each.label}: {each.value}" for each in message.ask.arguments) if message.ask else ()
    return "\n".join(filter(None, (origin, facts.get("Impact") or message.text, *arguments)))


def _path(url: str) -> str:
    """Without the host: the browser has its own name for this server."""
    parts = urlsplit(url)
    return parts._replace(scheme="", netloc="").geturl()


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
