"""What a model replied, free of any library's types."""

from dataclasses import dataclass

from signoff.kit.jsons import JsonObject


@dataclass(frozen=True)
class RawCall:
    """A call as the model wrote it; `arguments` is a string where it was no JSON object."""

    tool_call_id: str
    tool: str
    arguments: JsonObject | str


@dataclass(frozen=True)
class ModelReply:
    """One reply, stored and understood."""

    response: JsonObject
    text: str
    calls: list[RawCall]
    input_tokens: int
    output_tokens: int
    # In US dollars; None where the price is not known.
    cost: float | None
    # Of the input: what the provider had in its cache.
    cached_tokens: int = 0


@dataclass(frozen=True)
class OfferedTool:
    """A tool as the model sees it."""

    name: str
    description: str
    schema: JsonObject
