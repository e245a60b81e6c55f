"""A stored reply leaves out what the library assumes anyway, and nothing else."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from pydantic_ai.messages import (
    CompactionPart,
    ModelMessagesTypeAdapter,
    ModelResponse,
    ModelResponsePart,
    NativeToolCallPart,
    NativeToolReturnPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
)
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from signoff.engine.model import client
from signoff.kit import clock, jsons

# What was never read of a reply, and is not stored.
AT = clock.now()
DETAILS: dict[str, Any] = {"refusal": None, "logprobs": [], "count": 0, "nested": {"none": None, "empty": ""}}
PARTS: dict[str, list[ModelResponsePart]] = {
    "nothing": [],
    "text": [TextPart("Looking.")],
    "empty text": [TextPart("")],
    "text with details": [TextPart("Hi", id="msg_1", provider_name="openai", provider_details=DETAILS)],
    "call": [TextPart("So."), ToolCallPart("look", {"path": None, "deep": {}, "n": 0}, "call_1")],
    "call without arguments": [ToolCallPart("look", {}, "call_1")],
    "call with a signature": [
        ToolCallPart("look", {"a": 1}, "c", id="fc_1", provider_name="google", provider_details={"sig": "x"})
    ],
    "thinking": [ThinkingPart("Hm.", signature="EqQB==", provider_name="anthropic"), TextPart("Done.")],
    "hidden thinking": [ThinkingPart("", id="rs_1", signature="enc", provider_name="openai", provider_details=DETAILS)],
    "redacted thinking": [ThinkingPart("", id="redacted_thinking", signature="enc", provider_name="anthropic")],
    "the provider's own tool": [
        NativeToolCallPart("web_search", {"query": "x"}, "ws_1", provider_name="openai"),
        NativeToolReturnPart(
            "web_search", None, "ws_1", timestamp=AT, provider_name="openai", provider_details=DETAILS
        ),
    ],
    "compaction": [CompactionPart(None, id="cmp_1", provider_name="openai", provider_details={"encrypted": "x"})],
}
RESPONSES: dict[str, dict[str, Any]] = {
    "bare": {},
    "a provider's": {
        "usage": RequestUsage(
            input_tokens=50,
            output_tokens=7,
            cache_read_tokens=3,
            details={"reasoning_tokens": 0, "other": 2},
            cost=Decimal("0.012"),
        ),
        "model_name": "m-2026",
        "model_id": "openai:m",
        "provider_name": "openai",
        "canonical_system": "azure",
        "provider_details": {"finish_reason": "stop", **DETAILS},
        "provider_response_id": "resp_1",
        "finish_reason": "stop",
        "history_digest": "abc",
    },
    "broken off": {"state": "interrupted", "finish_reason": "length", "usage": RequestUsage(output_tokens=1)},
}


@pytest.mark.parametrize("response", RESPONSES)
@pytest.mark.parametrize("parts", PARTS)
def test_a_stored_reply_reads_as_it_was(parts: str, response: str) -> None:
    given = ModelResponse(PARTS[parts], timestamp=AT, **RESPONSES[response])
    stored = jsons.stored(jsons.dumps(client._understood(TestModel(), given).response))
    read = ModelMessagesTypeAdapter.validate_python([stored])[0]
    assert isinstance(read, ModelResponse)
    assert replace(read, timestamp=AT) == given
    assert [type(part) for part in read.parts] == [type(part) for part in given.parts]


def test_a_stored_reply_says_no_more_than_it_must() -> None:
    given = ModelResponse([TextPart("Hi"), ToolCallPart("look", {"a": None}, "c")], model_name="m")
    given.usage = RequestUsage(input_tokens=5, output_tokens=2)
    assert client._understood(TestModel(), given).response == {
        "parts": [
            {"content": "Hi", "part_kind": "text"},
            {"tool_name": "look", "args": {"a": None}, "tool_call_id": "c", "part_kind": "tool-call"},
        ],
        "usage": {"input_tokens": 5, "output_tokens": 2},
        "model_name": "m",
        "kind": "response",
    }
