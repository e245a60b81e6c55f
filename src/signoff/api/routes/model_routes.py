"""Which models can be used here, and whether they work. Only what the environment says is reached."""

import os
from collections.abc import Awaitable, Callable

from fastapi import Request
from sqlalchemy.orm import Session

from signoff.audit.actions import record
from signoff.catalog.providers.known import PROVIDERS, Provider, full_names, named, provider_of
from signoff.catalog.providers.offered_models import ModelLists
from signoff.catalog.providers.schemas import ModelTestIn, ModelTestOut, OfferedModels, ProviderList, ProviderOut
from signoff.kit.actor import Role
from signoff.kit.errors import Invalid, NotFound, TooMany
from signoff.kit.rate_limits import Rate
from signoff.kit.routing import api_router, errors
from signoff.workspaces.access import Caller

router = api_router("models", "/api/models")
TESTS_PER_MINUTE = 20
TestModel = Callable[[str], Awaitable[ModelTestOut]]


class UnknownProvider(NotFound):
    code = "unknown_provider"


class UntestableModel(Invalid):
    """Only providers whose address the environment fixes are reached."""

    code = "untestable_model"


@router.get("")
def list_providers(caller: Caller) -> ProviderList:
    """The providers of models, and which of their variables were found. Nobody is asked for it."""
    caller.read(lambda _, actor: actor)
    shown = [_show(provider) for provider in PROVIDERS]
    return ProviderList(items=shown, total=len(shown), works_here=caller.settings.workers)


@router.post("/test", responses=errors(UntestableModel, TooMany))
async def test_model(body: ModelTestIn, caller: Caller, request: Request) -> ModelTestOut:
    """Send one tiny request to a model, and say how it went. It costs what a few words cost."""
    actor = await caller.db.aread(lambda session: caller.actor(session, Role.ADMIN))
    if provider_of(body.model) is None:
        known = ", ".join(f"{prefix}:" for provider in PROVIDERS for prefix in provider.prefixes)
        raise UntestableModel(f"A model to test begins with one of {known}.")
    rate: Rate = request.app.state.model_tests
    rate.count(actor.workspace_id, TESTS_PER_MINUTE)
    test: TestModel = request.app.state.test_model
    tested = await test(body.model)

    def work(session: Session) -> None:
        again = caller.actor(session, Role.ADMIN)
        record(session, again, "model.tested", body.model, {"works": tested.works})

    await caller.db.awrite(work)
    return tested


@router.get("/{provider}", responses=errors(UnknownProvider))
async def list_models(provider: str, caller: Caller, request: Request) -> OfferedModels:
    """The models of a provider: as it lists them, asked at most every ten minutes, or else names to begin with."""
    await caller.db.aread(lambda session: caller.actor(session, Role.ADMIN))
    found = named(provider)
    if found is None:
        raise UnknownProvider(f"There is no provider {provider!r}.")
    lists: ModelLists = request.app.state.model_lists
    return await lists.get(found)


def _show(provider: Provider) -> ProviderOut:
    return ProviderOut(
        name=provider.name,
        label=provider.label,
        state=provider.state(os.environ),
        found=provider.variables(os.environ),
        keys=list(provider.keys),
        address=provider.address or None,
        address_is_enough=provider.address_is_enough,
        prefixes=list(provider.prefixes),
        examples=full_names(provider, list(provider.examples), os.environ),
    )
