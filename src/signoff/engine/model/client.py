"""The one place that speaks to models, through pydantic-ai. Imported only when a model is needed (it takes seconds)."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from genai_prices import calc_price
from pydantic_ai import exceptions
from pydantic_ai.messages import (
    CachePoint,
    InstructionPart,
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import CacheConfig, ModelSettings
from pydantic_ai.tools import ToolDefinition

from signoff.catalog.providers.redaction import redacted
from signoff.engine.model.end_marker import UNDER_WAY, EndMarker
from signoff.engine.model.errors import AskSomeone, ContextFull, ModelFailed, ModelProblem, TryLater
from signoff.engine.model.history import Conversation, ToolResult, Turn
from signoff.engine.model.reply import ModelReply, OfferedTool, RawCall
from signoff.kit import jsons
from signoff.kit.jsons import JsonObject

# The demo model: it runs here, so no wire can break.
LOCAL = "function"
# Of a reply, what nobody reads again.
NEVER_READ = frozenset({"run_id", "conversation_id", "metadata", "timestamp", "provider_url"})
OnText = Callable[[str], Awaitable[None]]


async def request_model(
    model: Model,
    instructions: str,
    conversation: Conversation,
    tools: Sequence[OfferedTool],
    *,
    temperature: float | None,
    max_tokens: int,
    seconds: float,
    on_text: OnText,
) -> ModelReply:
    """Ask once, handing on text as it comes. Every failure is sorted into one of four."""
    parameters = ModelRequestParameters(
        function_tools=[
            ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.schema)
            for tool in tools
        ],
        instruction_parts=[InstructionPart(instructions)],
    )
    settings = ModelSettings(max_tokens=max_tokens, max_retries=0)
    # Instructions and tools are the same in every turn. What was said is marked where it ends (`_status`), since the
    # very end of a request is in no other.
    settings["cache"] = CacheConfig(messages=False)
    if temperature is not None:
        settings["temperature"] = temperature
    marker = EndMarker()
    UNDER_WAY.set(marker)
    try:
        messages = _messages(model, instructions, conversation)
        # Not through `pydantic_ai.direct`: it walks the whole conversation twice, for parts that ours never have.
        async with asyncio.timeout(seconds), model.request_stream(messages, settings, parameters) as stream:
            async for event in stream:
                if text := _text_of(event):
                    await on_text(text)
            response = stream.get()
        _require_whole(model, response, marker)
        return _understood(model, response)
    except ModelProblem:
        raise
    except Exception as error:
        raise _problem(error) from error


def _problem(error: Exception) -> ModelProblem:
    """What to do about what went wrong."""
    match error:
        case exceptions.ModelContextWindowExceededError():
            return ContextFull(_first_line(error))
        case exceptions.ModelQuotaExceededError():
            return AskSomeone(_plain(error), "Add credit with the model's provider, then retry.")
        case exceptions.ModelAuthenticationError():
            return AskSomeone(_plain(error), "Set a key that the provider accepts, restart the server, then retry.")
        case (
            exceptions.ModelRateLimitError()
            | exceptions.ModelUnavailableError()
            | exceptions.ModelServerError()
            | exceptions.ModelConnectionError()
            | exceptions.ModelRequestTimeout()
        ):
            return TryLater(_plain(error), error.retry_after)
        case TimeoutError():
            return TryLater("Its reply took too long", None)
        case exceptions.ModelHTTPError():
            return ModelFailed(_plain(error))
        case exceptions.UserError():
            return ModelFailed(_first_line(error))
        case _:
            # A stream that broke off or made no sense, in one of the many ways that a library stumbles over such:
            # the next try may well be whole.
            return TryLater(f"Its reply could not be read ({_first_line(error)})", None)


def _require_whole(model: Model, response: ModelResponse, marker: EndMarker) -> None:
    """A reply that just stopped may lack half of what was meant, so nothing of it counts, least of all its calls."""
    if model.system == LOCAL:
        return
    # What the wire itself said: the library makes up a reason where none came.
    ended = marker.seen or "finish_reason" in (response.provider_details or {})
    filtered = response.finish_reason == "content_filter"
    calls = any(isinstance(part, ToolCallPart) for part in response.parts)
    if not ended and (calls or not filtered):
        raise TryLater("Its reply stopped in the middle", None)
    if response.finish_reason == "error":
        raise TryLater("It broke its reply off with an error", None)
    if not any(str(getattr(part, "content", None) or "").strip() for part in response.parts) and not calls:
        raise TryLater("Its reply was withheld by a filter" if filtered else "Its reply was empty", None)


def _plain(error: exceptions.ModelAPIError) -> str:
    """What a person can read of a provider's error; providers wrap the sentence that matters in different ways."""
    if not isinstance(error, exceptions.ModelHTTPError):
        return _first_line(error)
    match error.body:
        case {"error": {"message": str(said)}} | {"message": str(said)} | str(said):
            # Before it is cut: half a key would not be found.
            words = f": {redacted(said.strip(), os.environ)[:400]}"
        case _:
            words = "."
    return f"The model {error.model_name} answered with the error {error.status_code}{words}"


def _first_line(error: Exception) -> str:
    return redacted(next(iter(str(error).splitlines()), type(error).__name__), os.environ)[:500]


def _text_of(event: Any) -> str:
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return text
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
        case _:
            return ""


def _messages(model: Model, instructions: str, conversation: Conversation) -> list[ModelMessage]:
    """The conversation as pydantic-ai's messages: requests and responses take turns.

    A turn that is over is made ready for its model once. Only the last request carries the instructions: the library
    reads them there."""
    name, messages, results = model.model_id, list[ModelMessage](), list[ToolResult]()
    opening = conversation.opening
    for turn in conversation.turns:
        ready = turn.cached.get(name)
        if ready is None:
            request = _request(results, [*opening, *turn.before])
            ready = turn.cached[name] = _prepared(model, messages[-1:], request, _response(turn))
        messages += ready
        results, opening = turn.results, []
    last = _request(results, [*opening, *conversation.since], instructions)
    if conversation.status:
        last.parts = [*last.parts, _status(model, conversation.status)]
    return messages + _prepared(model, messages[-1:], last)


def _prepared(model: Model, before: list[ModelMessage], *new: ModelMessage) -> list[ModelMessage]:
    """What the library does to messages for a model's sake. It looks at one request and the response before it."""
    return model.prepare_messages([*before, *new])[len(before) :]


def _request(results: Sequence[ToolResult], said: Sequence[str], instructions: str | None = None) -> ModelRequest:
    # A refusal must go out as an error result: `denied` would not reach the model as one.
    parts: list[ModelRequestPart] = [
        ToolReturnPart(each.tool, each.text, each.tool_call_id, outcome="failed" if each.failed else "success")
        for each in results
    ]
    return ModelRequest(parts=[*parts, *map(UserPromptPart, said)], instructions=instructions)


def _status(model: Model, text: str) -> UserPromptPart:
    """What is so only now, behind all that the next request has, too."""
    # Whoever knows no such mark might stumble over a message of several parts.
    return UserPromptPart([CachePoint(), text] if model.profile.get("supports_cache") else text)


def _response(turn: Turn) -> ModelMessage:
    return ModelMessagesTypeAdapter.validate_python([turn.response])[0]


def _understood(model: Model, response: ModelResponse) -> ModelReply:
    for part in response.parts:
        _mend(part)
    _mark_cut_off(response)
    calls = [_raw(part) for part in response.parts if isinstance(part, ToolCallPart)]
    for part, call in zip((p for p in response.parts if isinstance(p, ToolCallPart)), calls, strict=True):
        # Providers refuse a history with broken arguments, so it keeps an object either way.
        whole = call.arguments if isinstance(call.arguments, dict) else {"_invalid": call.arguments[:2000]}
        setattr(part, "args", whole)  # noqa: B010 - typed calls declare it narrower
    text = "\n\n".join(part.content for part in response.parts if isinstance(part, TextPart) and part.content)
    usage = response.usage
    counted = (usage.input_tokens, usage.output_tokens, _price(model, response), usage.cache_read_tokens)
    return ModelReply(_lean(response), text, calls, *counted)


def _lean(response: ModelResponse) -> JsonObject:
    """As it is stored: two thirds of what the library writes down is what it assumes anyway when it reads."""
    written: JsonObject = ModelMessagesTypeAdapter.dump_python([response], mode="json")[0]
    lean = {name: value for name, value in written.items() if value is not None and name not in NEVER_READ}
    if lean["state"] == "complete":
        del lean["state"]
    # Content may be nothing and still has to be there.
    lean["parts"] = [
        {name: value for name, value in part.items() if value is not None or name == "content"}
        for part in written["parts"]
    ]
    lean["usage"] = {name: value for name, value in written["usage"].items() if value}
    return lean


def _mend(part: ModelResponsePart) -> None:
    """Half a character in what a model sends would make the transcript unreadable for good."""
    for name in ("content", "tool_name", "tool_call_id", "args"):
        value = getattr(part, name, None)
        if value:
            setattr(part, name, jsons.whole(value))


def _mark_cut_off(response: ModelResponse) -> None:
    """A call that the limit of tokens cut off before its arguments is not one without arguments."""
    last = response.parts[-1] if response.parts else None
    if response.finish_reason == "length" and isinstance(last, ToolCallPart) and last.args in (None, ""):
        setattr(last, "args", "[cut off at the limit of tokens]")  # noqa: B010 - typed calls declare it narrower


def _raw(part: ToolCallPart) -> RawCall:
    """Some providers send text, some an object; either way only what is JSON of ours counts."""
    given = part.args or {}
    text = given if isinstance(given, str) else json.dumps(given)
    try:
        parsed = jsons.loads(text)
    except jsons.BadJson:
        return RawCall(part.tool_call_id, part.tool_name, text)
    arguments = cast("JsonObject", parsed) if isinstance(parsed, dict) else text
    return RawCall(part.tool_call_id, part.tool_name, arguments)


def _price(model: Model, response: ModelResponse) -> float | None:
    if model.system == LOCAL:
        # It costs nothing.
        return 0.0
    try:
        return float(response.cost().total_price)
    except (LookupError, AssertionError, ValueError):
        return _price_as_asked(model, response)


def _price_as_asked(model: Model, response: ModelResponse) -> float | None:
    """A gateway may sign with a name of its own: then the name that was asked for counts."""
    try:
        return float(calc_price(response.usage, model.model_name, provider_id=model.system).total_price)
    except (LookupError, AssertionError, ValueError):
        return None
