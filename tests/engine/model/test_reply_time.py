"""A model has so much time for its reply, whatever it sends until then."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from pydantic_ai.messages import ModelMessage
from pydantic_ai.models.function import AgentInfo, FunctionModel

from signoff.engine.model.client import request_model
from signoff.engine.model.errors import TryLater
from signoff.engine.model.history import Conversation


def test_a_reply_that_does_not_come_to_its_end_is_tried_again_later() -> None:
    async def stuck(_messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[str]:
        yield "Let me think"
        await asyncio.Event().wait()

    async def nobody_listens(_text: str) -> None: ...

    with pytest.raises(TryLater, match="too long"):
        asyncio.run(
            request_model(
                FunctionModel(stream_function=stuck),
                "Think.",
                Conversation([], ["What is it?"]),
                [],
                temperature=None,
                max_tokens=100,
                seconds=0.01,
                on_text=nobody_listens,
            )
        )
