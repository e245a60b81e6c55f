"""A model without AI: it says what it is told, over the protocol of OpenAI, so that the examples need no key.

Put a real one in its place by another `model=` for the agent, such as `anthropic:claude-sonnet-5`.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = list[tuple[str, dict[str, Any]]]


def call(tool: str, **arguments: Any) -> Reply:
    """A reply that calls one tool. Join several with + to have them called together."""
    return [(tool, arguments)]


@contextmanager
def scripted_model(*replies: Reply) -> Iterator[str]:
    """Serve a model that gives these replies, one after the other. The address is for OPENAI_BASE_URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            # Found by the conversation: whoever asks again gets the same reply.
            turn = sum(message["role"] == "assistant" for message in request["messages"])
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for chunk in _chunks(replies[turn] if turn < len(replies) else call("complete_task", summary="Done.")):
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def _chunks(reply: Reply) -> Iterator[dict[str, Any]]:
    """The reply as a stream of OpenAI's chat completions."""
    frame = {"id": "reply", "object": "chat.completion.chunk", "created": 1, "model": "scripted"}
    for index, (tool, arguments) in enumerate(reply):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        called = {"index": index, "id": f"call_{index}", "type": "function", "function": function}
        yield {**frame, "choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [called]}}]}
    yield {**frame, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    yield {**frame, "choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}}
