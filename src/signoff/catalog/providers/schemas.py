from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from signoff.catalog.providers.known import State

# It becomes part of an address at the provider: letters and the few signs that names of models have.
TestedModel = Annotated[
    str,
    Field(
        pattern=r"^[a-z][a-z0-9-]{0,30}:[A-Za-z0-9](?:[A-Za-z0-9_:@+-]|[./][A-Za-z0-9_@+-]){0,150}$",
        description="provider:model",
    ),
]


class ProviderOut(BaseModel):
    name: str
    label: str
    state: State = Field(
        description="ready: what it needs is set. missing: nothing is. here: it is looked for on the server's machine."
    )
    found: list[str] = Field(description="Which of its variables are set; never what they hold.")
    keys: list[str] = Field(description="The variables for its key; any of them will do.")
    address: str | None = Field(description="The variable for another address than the provider's own.")
    address_is_enough: bool = Field(description="An address will do without a key.")
    prefixes: list[str] = Field(description="What its models begin with, in `provider:model`.")
    examples: list[str] = Field(description="Models to begin with, as `provider:model`.")


class ProviderList(BaseModel):
    items: list[ProviderOut]
    total: int
    works_here: bool = Field(
        description="This server works on runs itself. Otherwise its workers do, with an environment of their own."
    )


class OfferedModels(BaseModel):
    """What a provider offers."""

    provider: str
    models: list[str] = Field(description="As `provider:model`.")
    listed: bool = Field(description="The provider itself said so. Otherwise they are names to begin with.")
    problem: str | None = Field(description="Why the provider could not be asked.")


class ModelTestIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    model: TestedModel


class ModelTestOut(BaseModel):
    """How one tiny request went."""

    model: str
    works: bool
    seconds: float
    message: str = Field(description="That it works, or what the provider said.")
    remedy: str | None = Field(description="What to do about it.")
