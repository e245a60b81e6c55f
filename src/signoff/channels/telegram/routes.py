"""Where Telegram reports what was pressed and said. Nothing of it is believed before its secret fits."""

from fastapi import Request, Response

from signoff.channels import queries
from signoff.channels.accounts.linking import Visitor
from signoff.channels.chats.press import Press
from signoff.channels.port import NotVerified
from signoff.channels.telegram.texts import answer_text
from signoff.channels.telegram.transport import TelegramTransport
from signoff.channels.telegram.updates import Pressed, Said, code_in, read_update
from signoff.kit import jsons
from signoff.kit.db.database import Database
from signoff.kit.errors import SignoffError, Unauthorized
from signoff.kit.jsons import JsonObject
from signoff.kit.routing import RawBody, api_router, errors
from signoff.secrets.keyring import Keyring

router = api_router("hooks")
TELEGRAM = TelegramTransport()
HOW_TO_LINK = "To decide here, get a code in Signoff, in Settings under Notifications. Then send me: /start CODE"


@router.post("/hooks/telegram/{channel_id}", responses=errors(Unauthorized))
def take_telegram_update(channel_id: str, request: Request, body: RawBody) -> Response:
    """Buttons of Telegram, and codes sent to the bot, with the secret that was given to setWebhook."""
    db: Database = request.app.state.db
    keyring: Keyring = request.app.state.keyring
    try:
        channel = db.read(lambda session: queries.heard(session, keyring, TELEGRAM.kind, channel_id))
        TELEGRAM.verify(channel, request.headers, body)
    except NotVerified:
        # The same for all, so that nobody learns which channel there is.
        raise Unauthorized("The secret token does not fit.") from None
    given = read_update(body)
    if given is None:
        return Response()
    address = request.client.host if request.client else None
    previews = request.app.state.tool_previews()
    who = Visitor(db, keyring, request.app.state.wrong_link_codes, channel_id, given.account, address, previews)
    reply = _pressed(who, given) if isinstance(given, Pressed) else _said(who, given)
    # Telegram takes one call of its API as the answer.
    return Response(jsons.dumps(reply), media_type="application/json")


def _pressed(who: Visitor, given: Pressed) -> JsonObject:
    try:
        words, is_refused = f"{Press.of(who, given.data).decide()}.", False
    except SignoffError as error:
        words, is_refused = error.detail, True
    reply: JsonObject = {"method": "answerCallbackQuery", "callback_query_id": given.query}
    return reply | {"text": answer_text(words), "show_alert": is_refused}


def _said(who: Visitor, given: Said) -> JsonObject:
    code = code_in(given.words)
    try:
        words = who.link(code) if code else HOW_TO_LINK
    except SignoffError as error:
        words = error.detail
    return {"method": "sendMessage", "chat_id": given.chat, "text": words}
