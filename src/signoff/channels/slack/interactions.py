"""What a button or a modal in Slack does: the same as an answer in the app, by the member whose address Slack has."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from signoff.asks import queries as asks
from signoff.asks.actions import SeenDifferent, refuse_settled
from signoff.asks.answers.outcome import Answer, Decision
from signoff.asks.effects.previews import PreviewOf
from signoff.asks.models import Ask
from signoff.asks.signatures.deputies import in_whose_name
from signoff.asks.signatures.who_may_answer import permit
from signoff.channels.accounts.members import member_by_address
from signoff.channels.chats.as_shown import answer_as_shown, refuse_unshown
from signoff.channels.deciding import actor_through, refuse_outside
from signoff.channels.messages.choices import offered
from signoff.channels.models import Channel, Delivery
from signoff.channels.port import ChannelError, OpenChannel
from signoff.channels.slack import views
from signoff.channels.slack.arguments import edited
from signoff.channels.slack.blocks import APPROVE, CHOICE, DENY, EDIT, RESPOND
from signoff.channels.slack.payloads import Interaction
from signoff.channels.slack.people import Stranger, address_of
from signoff.channels.slack.texts import escaped
from signoff.channels.slack.views import About
from signoff.channels.slack.web_api import call
from signoff.kit import jsons
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.errors import FieldError, Forbidden, Invalid, NotFound, SignoffError
from signoff.kit.jsons import JsonObject
from signoff.policy.impact import ImpactOf

NOT_HERE = "This cannot be answered in Slack. Open it in the app."
NOT_EDITABLE = "The arguments are too long or too secret to edit in Slack. Open it in the app."
# What each button decides: who may not hears so before they fill in anything.
DECISIONS: dict[str, Decision] = {APPROVE: "approve", EDIT: "approve", DENY: "deny", RESPOND: "respond"}


@dataclass(frozen=True)
class Reply:
    """What Slack hears at once, and what whoever pressed reads a moment later."""

    body: JsonObject | None = None
    words: str = ""


@dataclass(frozen=True)
class Inbound:
    """A press or a modal, whose signature fits its channel."""

    db: Database
    channel: OpenChannel
    given: Interaction
    impact_of: ImpactOf
    preview_of: PreviewOf
    # Where the request came from.
    address: str | None

    def take(self) -> Reply:
        """Decide, open a modal, or say why not."""
        if self.given.action not in DECISIONS and not self.given.action.startswith(CHOICE):
            # A link: the browser went there by itself.
            return Reply()
        try:
            email = address_of(self.channel, self.given.user)
            return self._press(email) if self.given.values is None else self._submit(email, self.given.values)
        except (Stranger, ChannelError) as error:
            return self._refusal(str(error))
        except SignoffError as error:
            return self._refusal(error.detail)

    @property
    def _effects(self) -> dict[str, Any]:
        """How to find out what an approval lets happen."""
        return {"impact_of": self.impact_of, "preview_of": self.preview_of}

    def tell(self, words: str) -> None:
        """Say something that only whoever pressed can read."""
        call(self.channel, "chat.postEphemeral", channel=self.given.place, user=self.given.user, text=escaped(words))

    def _refusal(self, words: str) -> Reply:
        """In the modal where there is one, since it lies over everything else."""
        if self.given.values is None:
            return Reply(words=words)
        return Reply({"response_action": "update", "view": views.notice_view(words)})

    def _press(self, email: str) -> Reply:
        given = self.given
        if given.action == APPROVE:
            return self._decide(email, Answer("approve", digest=given.digest, **self._effects))
        if given.action.startswith(CHOICE):
            number = given.action.partition(":")[2]
            value = self.db.read(lambda session: _value(self._find(session, email)[1], number))
            return self._decide(email, Answer("respond", value=value, digest=given.digest))
        view = self.db.read(lambda session: self._view(self._seen(session, email)))
        if view is None:
            return Reply(words=NOT_EDITABLE if given.action == EDIT else NOT_HERE)
        call(self.channel, "views.open", trigger_id=given.trigger, view=view)
        return Reply()

    def _submit(self, email: str, values: JsonObject) -> Reply:
        try:
            return self._decide(email, self.db.read(lambda session: self._answer(self._seen(session, email), values)))
        except Invalid as error:
            wrong = error
        at = self.db.read(lambda session: views.problems_at(self.given.action, self._find(session, email)[1], wrong))
        return Reply({"response_action": "errors", "errors": at})

    def _decide(self, email: str, answer: Answer) -> Reply:
        return Reply(words=f"{answer_as_shown(self.db, lambda session: self._find(session, email), answer)}.")

    def _find(self, session: Session, email: str) -> tuple[Actor, Ask]:
        """Who answers what, as both are now. Raises Stranger."""
        delivery = session.get(Delivery, self.given.delivery_id)
        if delivery is None:
            raise NotFound("This message is not known any more.")
        member = member_by_address(session, delivery.workspace_id, email)
        if member is None:
            raise Stranger(f"Your Slack address {email} is not a member here: ask an admin to invite it.")
        if delivery.member_id not in (None, member.id):
            raise Forbidden("This message went to somebody else.")
        channel = session.get_one(Channel, delivery.channel_id)
        actor = actor_through(session, channel, member, self.address)
        return actor, asks.ask(session, actor, delivery.ask_id or "")

    def _seen(self, session: Session, email: str) -> Ask:
        """The ask, if this person may decide about it and it still is what they saw."""
        actor, ask = self._find(session, email)
        decision = DECISIONS[self.given.action]
        refuse_settled(ask)
        refuse_outside(ask)
        permit(session, in_whose_name(session, actor, ask, decision), ask, decision)
        if self.given.digest != ask.digest:
            raise SeenDifferent("This ask was changed since you opened it. Read it again, then decide.")
        refuse_unshown(ask, decision)
        return ask

    def _view(self, ask: Ask) -> JsonObject | None:
        given = self.given
        about = About(given.delivery_id, given.action, given.digest, given.place)
        if given.action == DENY:
            return views.deny_view(about, ask)
        return views.edit_view(about, ask) if given.action == EDIT else views.respond_view(about, ask)

    def _answer(self, ask: Ask, values: JsonObject) -> Answer:
        """What a modal says."""
        digest = self.given.digest
        if self.given.action == DENY:
            note = jsons.clean_text(views.typed(values, views.NOTE)).strip()
            return Answer("deny", note=note or None, end_run=views.is_ticked(values, views.END_RUN), digest=digest)
        if self.given.action == EDIT:
            texts = {name: views.typed(values, block) for block, name in views.inputs(ask).items()}
            arguments = edited(ask.arguments or {}, ask.arguments_schema or {}, texts)
            return Answer("approve", arguments=arguments, digest=digest, **self._effects)
        chosen = views.chosen(values, views.VALUE)
        value = _value(ask, chosen) if chosen is not None else _written(ask, views.typed(values, views.VALUE))
        return Answer("respond", value=value, digest=digest)


def _value(ask: Ask, number: str) -> Any:
    """What a choice stands for."""
    for choice, value in offered(ask):
        if str(choice.number) == number:
            return value
    raise Invalid("This choice is not there any more.", errors=[FieldError("value", "choose one")])


def _written(ask: Ask, text: str) -> Any:
    """What an answer in words stands for."""
    if ask.response_type != "number":
        return jsons.clean_text(text)
    try:
        return jsons.loads(text.strip())
    except jsons.BadJson:
        raise Invalid("This is no number.", errors=[FieldError("value", "Write a number.")]) from None
