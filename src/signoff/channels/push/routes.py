"""One's own browsers, subscribed to what is for oneself."""

from typing import Annotated

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from signoff.channels.push import actions, queries
from signoff.channels.push.models import PushSubscription
from signoff.channels.push.schemas import PushKey, SubscriptionIn, SubscriptionOut
from signoff.channels.push.vapid import public_key, vapid_private_key
from signoff.kit.actor import Actor, Role
from signoff.kit.errors import Invalid, NotFound
from signoff.kit.paging import Page, page
from signoff.kit.routing import Paging, api_router, errors
from signoff.secrets.keyring import Keyring
from signoff.workspaces.access import Caller

router = api_router("channels", "/api/push")


def _keyring(request: Request) -> Keyring:
    keyring: Keyring = request.app.state.keyring
    return keyring


Keys = Annotated[Keyring, Depends(_keyring)]


@router.get("/key")
def get_push_key(caller: Caller, keys: Keys) -> PushKey:
    """The key that a browser subscribes to: the same for the whole installation."""
    return caller.read(lambda session, _: PushKey(public_key=public_key(vapid_private_key(session, keys))))


@router.get("/subscriptions")
def list_push_subscriptions(caller: Caller, window: Paging) -> Page[SubscriptionOut]:
    """Your own browsers, newest first."""

    def work(session: Session, actor: Actor) -> Page[SubscriptionOut]:
        return page(session, queries.own(actor), [PushSubscription.id], window, SubscriptionOut.of, descending=True)

    return caller.read(work)


@router.post(
    "/subscriptions", status_code=201, responses=errors(actions.NotInOwnName, actions.TooManyBrowsers, Invalid)
)
def subscribe_to_push(body: SubscriptionIn, caller: Caller) -> SubscriptionOut:
    """Send what is for you to this browser, also while Signoff is closed."""

    def work(session: Session, actor: Actor) -> SubscriptionOut:
        allowed = caller.settings.allow_private_addresses
        return SubscriptionOut.of(actions.subscribe(session, actor, body, allow_private=allowed))

    return caller.write(work, Role.VIEWER)


@router.delete("/subscriptions/{subscription_id}", status_code=204, responses=errors(NotFound))
def unsubscribe_from_push(subscription_id: str, caller: Caller) -> None:
    """Send nothing more to one of your browsers."""

    def work(session: Session, actor: Actor) -> None:
        actions.unsubscribe(session, actor, queries.subscription(session, actor, subscription_id))

    caller.write(work, Role.VIEWER)
