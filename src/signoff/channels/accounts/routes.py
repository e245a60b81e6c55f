"""One's own accounts with channels that know people by something else than their address."""

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from signoff.channels import queries
from signoff.channels.accounts import linking
from signoff.channels.accounts.members import own_accounts
from signoff.channels.accounts.schemas import AccountList, AccountOut, LinkCode
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import NotFound
from signoff.kit.routing import api_router, errors
from signoff.secrets.keyring import Keyring
from signoff.workspaces.access import Caller

router = api_router("channels")


def _keyring(request: Request) -> Keyring:
    keyring: Keyring = request.app.state.keyring
    return keyring


Keys = Annotated[Keyring, Depends(_keyring)]


@router.get("/api/me/accounts")
def list_my_accounts(caller: Caller) -> AccountList:
    """Your accounts with channels that do not know you by your address."""

    def work(session: Session, actor: Actor) -> AccountList:
        rows = session.execute(own_accounts(actor))
        return AccountList(items=[AccountOut.of(row[0], row[1]) for row in rows])

    return caller.read(work)


@router.post(
    "/api/channels/{channel_id}/link-code",
    responses=errors(NotFound, linking.NotYourself, linking.TakesNoAnswers),
)
def make_link_code(channel_id: str, caller: Caller, keys: Keys) -> LinkCode:
    """A code that shows a channel which account there is yours: whoever sends it decides as you. In your own
    session."""

    def work(session: Session, actor: Actor) -> LinkCode:
        channel = queries.channel(session, actor, channel_id)
        code, instructions, ends = linking.new_link_code(session, keys, actor, channel)
        return LinkCode(code=code, instructions=instructions, expires_at=ends)

    return caller.write(work, Role.VIEWER)


@router.delete("/api/channels/{channel_id}/account", status_code=204, responses=errors(NotFound))
def unlink_my_account(channel_id: str, caller: Caller, keys: Keys) -> None:
    """Your account with this channel speaks for you no longer."""

    def work(session: Session, actor: Actor) -> None:
        linking.unlink(session, keys, actor, queries.channel(session, actor, channel_id))

    caller.write(work, Role.VIEWER)
