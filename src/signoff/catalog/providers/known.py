"""The providers of models: what each is called, and which variables it reads. Nothing of it comes from a request."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

# ready: what it needs is set. missing: nothing is. here: nothing has to be, it is looked for on this machine.
State = Literal["ready", "missing", "here"]


@dataclass(frozen=True)
class Provider:
    name: str
    label: str
    # Any of these keys will do.
    keys: tuple[str, ...] = ()
    # The variable with another address than the provider's own.
    address: str = ""
    home: str = ""
    # Whether an address will do without a key: a server of one's own wants none.
    address_is_enough: bool = False
    # What its models may begin with; the first is the usual one.
    prefixes: tuple[str, ...] = ()
    # To begin with, where it cannot be asked.
    examples: tuple[str, ...] = ()

    def variables(self, environment: Mapping[str, str]) -> list[str]:
        """Those that are set. A variable that is set to nothing is missing, too."""
        return [name for name in (*self.keys, self.address) if name and environment.get(name)]

    def state(self, environment: Mapping[str, str]) -> State:
        is_set = set(self.variables(environment))
        if not self.keys and not self.address:
            return "ready"
        if is_set & set(self.keys) or (self.address_is_enough and self.address in is_set):
            return "ready"
        return "missing" if self.keys else "here"

    def key(self, environment: Mapping[str, str]) -> str | None:
        return next((environment[name] for name in self.keys if environment.get(name)), None)

    def place(self, environment: Mapping[str, str]) -> str:
        """Where it is reached."""
        return (environment.get(self.address) or self.home).rstrip("/")


ANTHROPIC = Provider(
    "anthropic",
    "Anthropic",
    keys=("ANTHROPIC_API_KEY",),
    address="ANTHROPIC_BASE_URL",
    home="https://api.anthropic.com",
    prefixes=("anthropic",),
    examples=("claude-sonnet-5", "claude-opus-5", "claude-haiku-4-5"),
)
OPENAI = Provider(
    "openai",
    "OpenAI and compatible servers",
    keys=("OPENAI_API_KEY",),
    address="OPENAI_BASE_URL",
    home="https://api.openai.com/v1",
    address_is_enough=True,
    prefixes=("openai", "openai-chat", "openai-responses"),
    examples=("gpt-5-mini", "gpt-5", "gpt-5.5"),
)
GOOGLE = Provider(
    "google",
    "Google Gemini",
    keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    address="GOOGLE_GEMINI_BASE_URL",
    home="https://generativelanguage.googleapis.com",
    prefixes=("google",),
    examples=("gemini-2.5-flash", "gemini-2.5-pro", "gemini-flash-latest"),
)
OLLAMA = Provider(
    "ollama",
    "Ollama",
    address="OLLAMA_BASE_URL",
    home="http://localhost:11434/v1",
    address_is_enough=True,
    prefixes=("ollama",),
    examples=("qwen3", "llama3.3", "gpt-oss"),
)
DEMO = Provider(
    "demo",
    "Demo",
    prefixes=("demo",),
    examples=("competitive-analysis", "support-reply", "launch-plan", "assistant"),
)
PROVIDERS = (ANTHROPIC, OPENAI, GOOGLE, OLLAMA, DEMO)
_BY_PREFIX = {prefix: provider for provider in PROVIDERS for prefix in provider.prefixes}
_BY_NAME = {provider.name: provider for provider in PROVIDERS}


def provider_of(model: str) -> Provider | None:
    """Whose model `provider:model` is; None: one that we know nothing about."""
    return _BY_PREFIX.get(model.partition(":")[0])


def named(name: str) -> Provider | None:
    return _BY_NAME.get(name)


def missing_variable(model: str, environment: Mapping[str, str]) -> str | None:
    """The variable without which this model cannot be used."""
    provider = provider_of(model)
    return provider.keys[0] if provider and provider.state(environment) == "missing" else None


def full_names(provider: Provider, models: list[str], environment: Mapping[str, str]) -> list[str]:
    """Models as agents name them. A server that only speaks like OpenAI knows the older way alone, as a rule."""
    speaks_chat = provider is OPENAI and environment.get(provider.address)
    prefix = "openai-chat" if speaks_chat else provider.prefixes[0]
    return [f"{prefix}:{name}" for name in models]
