"""What somebody decides by writing in Teams: as the member who has linked their account there."""

from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from signoff.asks.answers.outcome import Answer
from signoff.asks.effects.previews import PreviewOf
from signoff.asks.models import Ask
from signoff.asks.queries import PENDING
from signoff.channels.accounts.linking import Visitor
from signoff.channels.accounts.members import member_by_account
from signoff.channels.chats.as_shown import answer_as_shown
from signoff.channels.deciding import actor_through
from signoff.channels.messages import words
from signoff.channels.messages.compose import view_of
from signoff.channels.models import Channel, Delivery
from signoff.channels.teams.card import shows_all
from signoff.channels.teams.messages import Decide, LinkAccount, TeamsMessage, command
from signoff.kit.actor import Actor
from signoff.kit.db.database import Database
from signoff.kit.errors import Forbidden, NotFound, SignoffError
from signoff.kit.rate_limits import Rate
from signoff.policy.impact import ImpactOf
from signoff.secrets.keyring import Keyring

HELP = "Write approve or deny with the short name of an ask, as its card shows it: approve 1a2b3c4d."
WHO = "Your Teams account is not linked to a member. Get a code in Signoff's settings; then write: link CODE"


@dataclass(frozen=True)
class Inbound:
    """A message that Teams signed for one of our channels."""

    db: Database
    keyring: Keyring
    wrong_codes: Rate
    channel_id: str
    message: TeamsMessage
    impact_of: ImpactOf
    preview_of: PreviewOf
    # Where the request came from.
    address: str | None

    def take(self) -> str:
        """Do what it says; returns what Teams shows below it."""
        try:
            match command(self.message.text):
                case LinkAccount(code=code):
                    return self._visitor().link(code)
                case Decide() as wanted:
                    # Without a digest: what is another thing since is refused, since nobody can have seen that here.
                    answer = Answer(
                        wanted.decision, note=wanted.note, impact_of=self.impact_of, preview_of=self.preview_of
                    )
                    found = answer_as_shown(self.db, lambda session: self._find(session, wanted), answer)
                    return f"{found}."
                case None:
                    return HELP
        except SignoffError as error:
            return error.detail

    def _visitor(self) -> Visitor:
        account = self.message.sender.id
        return Visitor(self.db, self.keyring, self.wrong_codes, self.channel_id, account, self.address)

    def _find(self, session: Session, wanted: Decide) -> tuple[Actor, Ask]:
        channel, reference = session.get_one(Channel, self.channel_id), wanted.reference
        member = member_by_account(session, channel, self.message.sender.id)
        if member is None:
            raise Forbidden(WHO)
        told = select(Delivery.ask_id).where(Delivery.channel_id == channel.id)
        own = (Ask.workspace_id == channel.workspace_id, PENDING, Ask.id.in_(told))
        found = session.scalars(select(Ask).where(*own, Ask.id.endswith(reference, autoescape=True)).limit(2)).all()
        if len(found) != 1:
            raise NotFound(f"No open ask of this channel is called {reference}. {HELP}")
        (ask,) = found
        if wanted.decision == "approve" and not shows_all(view_of(ask), words.shown(ask.description)):
            raise Forbidden("Its card does not show all of it. Open it in the app to approve it.")
        return actor_through(session, channel, member, self.address), ask
