"""How many tokens of a conversation a model is sent."""

from functools import lru_cache

# The part of a model's window that a conversation may fill: sizes are estimates, and the reply needs room.
SHARE = 0.8
# More than this is dear and makes models forget, however large their window is.
MOST = 150_000
# For a model whose window nobody knows.
UNKNOWN = 100_000
LEAST = 1_000
# What a provider's models are listed under, where that is another name.
LISTED_AS = {"openai-chat": "openai", "openai-responses": "openai", "google-gla": "google", "google-vertex": "google"}
SCRIPTED = "demo"
# No list has them.
UNLISTED = frozenset({SCRIPTED, "ollama"})


def context_budget(model: str, max_tokens: int, given: int | None) -> int:
    """What the settings say, else what the model's window leaves beside its reply."""
    if given is not None:
        return given
    window = window_of(model)
    return UNKNOWN if window is None else max(LEAST, min(MOST, int(window * SHARE) - max_tokens))


def is_scripted(model: str) -> bool:
    """Whether it only plays a script, and would not understand anything else."""
    return model.partition(":")[0] == SCRIPTED


@lru_cache(maxsize=256)
def window_of(model: str) -> int | None:
    """A model's window in tokens. None: it is not known."""
    provider, _, name = model.partition(":")
    if provider in UNLISTED:
        return None
    # The list of all models takes half a second to import.
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, found = get_snapshot().find_provider_model(name, None, LISTED_AS.get(provider, provider), None)
    except LookupError:
        return None
    return found.context_window
