"""What admins do with channels. Every change is on the record, without what is secret."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import reduce
from typing import Any
from urllib.parse import urlsplit

from pydantic import ValidationError
from sqlalchemy import Update, or_, select, update
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.channels import queries
from signoff.channels.accounts.linking import forget_link_codes
from signoff.channels.kinds import TRANSPORTS, WEBHOOK
from signoff.channels.messages.account_mail import ACCOUNT_KINDS, ASKED_FOR, LinkGone, is_made_at_sending
from signoff.channels.models import Channel, Delivery
from signoff.channels.schemas import ChannelChange, ChannelIn
from signoff.channels.states import DeliveryStatus
from signoff.channels.webhook.secrets import (
    NOT_BASE64,
    PREVIOUS,
    SECRET,
    is_signing_secret,
    new_signing_secret,
)
from signoff.kit import clock
from signoff.kit.actor import Actor
from signoff.kit.db import events
from signoff.kit.db.database import commit_of
from signoff.kit.errors import Conflict, FieldError, Invalid
from signoff.kit.ids import new_id
from signoff.kit.jsons import JsonObject, clean_text
from signoff.kit.text.field_words import field_words
from signoff.kit.text.secret_values import too_short
from signoff.notifications.models import WANTS_ANSWER
from signoff.secrets import store
from signoff.secrets.keyring import Keyring
from signoff.workspaces.credentials import acting_user_id
from signoff.workspaces.switching import is_installation_admin, require_installation_admin

# After a change of its secret a webhook is signed with the one before as well.
BOTH_VALID = timedelta(hours=24)
LONGEST_ERROR = 1_000
AGAIN = "enter it again, since the address changed"


class NameTaken(Conflict):
    code = "channel_name_taken"


class NotToBeRepeated(Conflict):
    code = "delivery_not_repeatable"


def create(session: Session, keyring: Keyring, actor: Actor, body: ChannelIn) -> tuple[Channel, str | None]:
    """Set up a channel. Returns it, and the signing secret if one was made for it."""
    _refuse_taken(session, actor, body.name)
    secrets, made = dict(body.secrets), None
    if body.kind == WEBHOOK and SECRET not in secrets:
        made = secrets[SECRET] = new_signing_secret()
    settings, hidden = _split(body.kind, body.settings)
    secrets |= hidden
    _check(body.kind, body.settings, secrets, body.secrets)
    channel = Channel(id=new_id(), workspace_id=actor.workspace_id, kind=body.kind, name=body.name, settings=settings)
    channel.about, channel.enabled = list(body.about), body.enabled
    if body.kind == WEBHOOK:
        # From here on: nobody wants to hear of everything that ever happened.
        channel.position = events.position(session, actor.workspace_id)
    _keep(session, actor, channel)
    session.add(channel)
    session.flush()
    store.put(session, keyring, actor.workspace_id, channel.id, secrets)
    facts = {"kind": channel.kind, "name": channel.name, **_named({}, settings), "sealed": sorted(secrets)}
    record(session, actor, "channel.created", channel.id, facts)
    commit_of(session).channels_changed = True
    return channel, made


def change(session: Session, keyring: Keyring, actor: Actor, channel: Channel, body: ChannelChange) -> None:
    before: JsonObject = {name: getattr(channel, name) for name in ("name", "settings", "about", "enabled")}
    secrets = dict(body.secrets or {})
    if body.name is not None and body.name != channel.name:
        _refuse_taken(session, actor, body.name)
        channel.name = body.name
    known = store.take(session, keyring, actor.workspace_id, channel.id)
    if SECRET in secrets and channel.kind == WEBHOOK and secrets[SECRET] != known.get(SECRET):
        secrets[PREVIOUS] = known.get(SECRET, "")
    if body.settings is not None:
        settings, hidden = _split(channel.kind, body.settings)
        # What was shown instead of a secret and comes back as it was changes nothing.
        secrets |= {name: value for name, value in hidden.items() if value != channel.settings.get(name)}
        channel.settings = settings
    together = {name: value for name, value in (known | secrets).items() if value}
    _check(channel.kind, _joined(channel, together), together, body.secrets or {})
    secrets |= _left_behind(channel.kind, before["settings"], channel.settings, known, secrets)
    if PREVIOUS in secrets:
        channel.previous_until = clock.now() + BOTH_VALID
    if body.about is not None:
        channel.about = list(body.about)
    if body.enabled is not None:
        channel.enabled = body.enabled
    channel.updated_at, channel.mailbox_error = clock.now(), None
    channel.tested_at, channel.test_error = None, None
    if body.settings is not None or secrets:
        _keep(session, actor, channel)
    store.put(session, keyring, actor.workspace_id, channel.id, secrets)
    named = _named(before.pop("settings"), channel.settings)
    changed = {name: value for name, value in before.items() if value != getattr(channel, name)}
    facts = {"name": channel.name, "before": changed, **named, "sealed": sorted(secrets)}
    record(session, actor, "channel.changed", channel.id, facts)
    commit_of(session).channels_changed = True


def note_mailbox(session: Session, channel_id: str, looked_at: datetime, error: str | None) -> None:
    """Why replies cannot be read, or that they can; unless the channel was changed since somebody looked."""
    session.execute(_unchanged(channel_id, looked_at).values(mailbox_error=_short(error)))


def note_test(session: Session, channel_id: str, tried_at: datetime, error: str | None) -> None:
    """How a test went, unless the channel was changed since."""
    session.execute(_unchanged(channel_id, tried_at).values(tested_at=tried_at, test_error=_short(error)))


def _unchanged(channel_id: str, since: datetime) -> Update:
    return update(Channel).where(Channel.id == channel_id, Channel.updated_at <= since)


def _short(error: str | None) -> str | None:
    return clean_text(error)[:LONGEST_ERROR] if error else None


def rotate_secret(session: Session, keyring: Keyring, actor: Actor, channel: Channel) -> str:
    """A new signing secret; for a day the one before signs beside it."""
    if channel.kind != WEBHOOK:
        raise Invalid("Only a webhook has a signing secret of ours.", errors=[FieldError("kind", "must be webhook")])
    secret = new_signing_secret()
    change(session, keyring, actor, channel, ChannelChange(secrets={SECRET: secret}))
    return secret


def delete(session: Session, actor: Actor, channel: Channel) -> None:
    """With all that was sent by it; what people decided through it stays on the record."""
    record(session, actor, "channel.deleted", channel.id, {"kind": channel.kind, "name": channel.name})
    store.drop(session, [channel.id])
    store.drop(session, select(Delivery.id).where(Delivery.channel_id == channel.id))
    forget_link_codes(session, channel)
    session.delete(channel)
    session.flush()
    commit_of(session).channels_changed = True


def send_again(session: Session, actor: Actor, delivery: Delivery) -> None:
    """Queue it once more, from its first try on."""
    if delivery.kind in ACCOUNT_KINDS and not is_made_at_sending(delivery):
        raise LinkGone("Its link is kept nowhere: invite again, or make a new sign-in link.")
    if delivery.kind in WANTS_ANSWER and delivery.ask_id and not queries.is_open(session, delivery.ask_id):
        raise NotToBeRepeated(
            "Its ask is settled: nobody needs to be told of it any more.", state={"status": "settled"}
        )
    again = update(Delivery).where(Delivery.id == delivery.id, queries.repeatable()).values(**_from_the_start())
    if session.scalar(again.returning(Delivery.id)) is None:
        session.refresh(delivery)
        raise NotToBeRepeated(
            f"This is {delivery.status}, so it cannot be sent again.", state={"status": delivery.status}
        )
    session.refresh(delivery)
    commit_of(session).tells = True
    record(session, actor, "delivery.repeated", delivery.id, {"target": delivery.target}, run_id=delivery.run_id)


def send_failed_again(session: Session, actor: Actor, channel: Channel) -> int:
    """Everything of this channel that failed for good, and that somebody still needs."""
    with_link = or_(Delivery.kind.not_in(ACCOUNT_KINDS), Delivery.why == ASKED_FOR)
    failed = (Delivery.channel_id == channel.id, Delivery.status == DeliveryStatus.FAILED.value, with_link)
    failed = (*failed, or_(Delivery.kind.not_in(WANTS_ANSWER), queries.asks_still()))
    ids = session.scalars(update(Delivery).where(*failed).values(**_from_the_start()).returning(Delivery.id)).all()
    if ids:
        commit_of(session).tells = True
        record(session, actor, "channel.failed_repeated", channel.id, {"name": channel.name, "count": len(ids)})
    return len(ids)


def _from_the_start() -> dict[str, Any]:
    return {
        "status": DeliveryStatus.QUEUED.value,
        "due_at": clock.now(),
        "tries": 0,
        "error": None,
        "owner": None,
        "lease_until": None,
        "digest_id": None,
    }


def _keep(session: Session, actor: Actor, channel: Channel) -> None:
    """Remember who could read and forge what goes through it."""
    before: list[str] = channel.keepers or []
    mine = acting_user_id(session, actor)
    now = [*before, *([mine] if mine else []), *actor.made_by]
    channel.keepers = list(dict.fromkeys(now))
    if TRANSPORTS[channel.kind].for_the_operator:
        require_installation_admin(session, actor)
    channel.reaches_private = is_installation_admin(session, actor)


def _refuse_taken(session: Session, actor: Actor, name: str) -> None:
    if session.scalar(queries.channels(actor).where(Channel.name == name)) is not None:
        raise NameTaken(f"There is already a channel named {name!r}.")


def _split(kind: str, settings: JsonObject) -> tuple[JsonObject, dict[str, str]]:
    """Settings as they are stored and shown, and what of them is secret."""
    shown, hidden = dict(settings), dict[str, str]()
    for name in TRANSPORTS[kind].secret_settings:
        value = shown.get(name)
        if isinstance(value, str) and value:
            hidden[name], shown[name] = value, _beginning(value)
    return shown, hidden


def _named(before: JsonObject, now: JsonObject) -> JsonObject:
    """Of settings, for the record, which everybody reads: the names of those that changed, and hosts of addresses."""
    changed = sorted(name for name in {*before, *now} if before.get(name) != now.get(name))
    hosts = {name: urlsplit(str(now[name])).hostname for name in changed if str(now.get(name)).startswith("http")}
    return {"settings": changed, "hosts": hosts}


def _left_behind(
    kind: str, before: JsonObject, now: JsonObject, known: Mapping[str, str], given: Mapping[str, str]
) -> dict[str, str]:
    """What is forgotten with the connection it was for. Raises Invalid where it is needed for another one."""
    moved = [
        (name, bool(now.get("replies")) if places[0].startswith("replies.") else True)
        for name, places in TRANSPORTS[kind].sent_to.items()
        if known.get(name) and name not in given and _sent_to(kind, before, places) != _sent_to(kind, now, places)
    ]
    problems = [FieldError(f"secrets.{name}", AGAIN) for name, is_needed in moved if is_needed]
    if problems:
        raise Invalid(f"A secret goes to another address: {AGAIN}.", errors=problems)
    return dict.fromkeys((name for name, _ in moved), "")


def _sent_to(kind: str, settings: JsonObject, places: Iterable[str]) -> list[object]:
    """What is set there, by itself where nobody did."""
    read = TRANSPORTS[kind].settings_model.model_validate(settings)
    return [reduce(lambda value, part: getattr(value, part, None), path.split("."), read) for path in places]


def _joined(channel: Channel, secrets: Mapping[str, str]) -> JsonObject:
    """Settings as the channel reads them."""
    own = {name: secrets[name] for name in TRANSPORTS[channel.kind].secret_settings if name in secrets}
    return channel.settings | own


def _beginning(address: str) -> str:
    if address.endswith("…"):
        return address
    parts = urlsplit(address)
    host = parts.hostname if parts.scheme in ("http", "https") else None
    return f"{parts.scheme}://{host}/…" if host else f"{parts.scheme}://…"


def _check(kind: str, settings: JsonObject, secrets: Mapping[str, str], given: Mapping[str, str]) -> None:
    """See that all is there, with every problem at its place."""
    transport = TRANSPORTS[kind]
    problems = list[FieldError]()
    try:
        transport.settings_model.model_validate(settings)
    except ValidationError as error:
        for each in error.errors(include_input=False, include_url=False):
            place = ".".join(str(part) for part in each["loc"])
            problems.append(FieldError(f"settings.{place}".rstrip("."), field_words(each)))
    allowed = {*transport.secret_names, *transport.secret_settings, *((PREVIOUS,) if kind == WEBHOOK else ())}
    problems += [FieldError(f"secrets.{each}", "not known") for each in secrets if each not in allowed]
    needed = (name for name, is_needed in transport.secret_names.items() if is_needed)
    problems += [FieldError(f"secrets.{each}", "is missing") for each in needed if not secrets.get(each)]
    problems += too_short(given)
    if kind == WEBHOOK:
        wrong = (name for name, value in given.items() if value and not is_signing_secret(value))
        problems += [FieldError(f"secrets.{name}", NOT_BASE64) for name in wrong]
    if problems:
        first = problems[0]
        raise Invalid(f"This channel is not complete: {first.path} {first.message}.", errors=problems)
