"""What a press or a modal in Discord does, and what is shown then: the message as it ended, a modal, or why not."""

from signoff.channels.accounts.linking import Visitor
from signoff.channels.chats.carried import DENY, REPLY
from signoff.channels.chats.press import Press, Stranger
from signoff.channels.discord.payloads import MODAL, PRESS, WORDS, Interaction
from signoff.channels.discord.texts import LINK, LINK_ROW, QUIET, ROW, TEXT_INPUT, told, with_outcome
from signoff.kit.errors import SignoffError
from signoff.kit.jsons import JsonObject

# By Discord's own numbers.
SAY, CHANGE, OPEN_MODAL = 4, 7, 9
ONE_LINE, PARAGRAPH = 1, 2
MOST_WORDS = 2_000


def answer(who: Visitor, given: Interaction) -> JsonObject:
    """Decide, ask for more, or say why not to whoever pressed."""
    try:
        if given.custom_id == LINK:
            return _linked(who, given)
        press = Press.of(who, given.custom_id)
        if given.type == PRESS and press.carried.action in (DENY, REPLY):
            # Who may not hears so before they write anything.
            press.check()
            return _reason(given.custom_id) if press.carried.action == DENY else _reply(given.custom_id)
        if given.type not in (PRESS, MODAL):
            return _said("Nothing here answers to this.")
        return _decided(press, given)
    except Stranger as error:
        return {"type": SAY, "data": told(error.detail, rows=[LINK_ROW])}
    except SignoffError as error:
        return _said(error.detail)


def _linked(who: Visitor, given: Interaction) -> JsonObject:
    if given.type == MODAL:
        return _said(who.link(given.words))
    return _modal(LINK, "Link account", "Code from Settings, Notifications", ONE_LINE, required=True)


def _decided(press: Press, given: Interaction) -> JsonObject:
    standing = press.decide(given.words)
    if given.content is None or press.is_open():
        return _said(f"{standing}.")
    # A moment later the message is changed as a whole; until then nobody presses in vain.
    content = with_outcome(given.content.partition("\n")[0], standing)
    return {"type": CHANGE, "data": {"content": content, "components": [], "allowed_mentions": QUIET}}


def _reason(custom_id: str) -> JsonObject:
    return _modal(custom_id, "Deny", "Reason: the agent reads it", PARAGRAPH, required=False)


def _reply(custom_id: str) -> JsonObject:
    return _modal(custom_id, "Answer", "Your answer: the agent reads it", PARAGRAPH, required=True)


def _modal(custom_id: str, title: str, label: str, style: int, *, required: bool) -> JsonObject:
    field: JsonObject = {"type": TEXT_INPUT, "custom_id": WORDS, "label": label, "style": style, "required": required}
    row = {"type": ROW, "components": [field | {"max_length": MOST_WORDS}]}
    return {"type": OPEN_MODAL, "data": {"custom_id": custom_id, "title": title, "components": [row]}}


def _said(words: str) -> JsonObject:
    return {"type": SAY, "data": told(words)}
