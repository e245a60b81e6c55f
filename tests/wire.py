"""A model at the other end of the wire: an OpenAI-compatible server that answers as told and keeps every request."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def call(tool: str, arguments: dict[str, Any] | str, call_id: str | None = None) -> dict[str, Any]:
    """A tool call in the model's answer; a string goes out as it is, valid JSON or not."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"tool": tool, "arguments": text, "id": call_id}


def says(text: str = "", *calls: dict[str, Any]) -> dict[str, Any]:
    """One answer: text, calls, or both."""
    return {"text": text, "calls": list(calls)}


def fails(status: int, message: str = "no", code: str | None = None, **headers: str) -> dict[str, Any]:
    """An error instead of an answer."""
    return {"status": status, "message": message, "code": code, "headers": headers}


DONE = says("", call("complete_task", {"summary": "done"}))
Answering = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass
class Model:
    """The script by model name: a list of answers in order, or a function from the request to the answer."""

    scripts: dict[str, list[dict[str, Any]] | Answering] = field(default_factory=dict)
    requests: list[dict[str, Any]] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    url: str = ""

    def script(self, name: str, *answers: dict[str, Any]) -> str:
        """Set what a model says, in order; after the last it completes the task. Returns its full name."""
        self.scripts[name] = list(answers)
        return f"openai-chat:{name}"

    def play(self, name: str, answering: Answering) -> str:
        """Let a function answer; it sees the whole request."""
        self.scripts[name] = answering
        return f"openai-chat:{name}"

    def asked(self, name: str) -> list[dict[str, Any]]:
        """Every request that this model got."""
        return [request for request in self.requests if request["model"] == name]

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        with self.lock:
            self.requests.append(request)
            script = self.scripts.get(request["model"], [])
            if not callable(script):
                # Decided by the conversation, so that a repeated call gets the same answer.
                turn = sum(message["role"] == "assistant" for message in request["messages"])
                errors = sum("status" in each for each in script[: turn + 1])
                for index in range(turn, min(turn + errors + 1, len(script))):
                    if "status" in script[index]:
                        return script.pop(index)
                return script[turn] if turn < len(script) else DONE
        return script(request)


def results(request: dict[str, Any]) -> list[str]:
    """What the model was told about its calls, in order."""
    return [message["content"] for message in request["messages"] if message["role"] == "tool"]


class _Handler(BaseHTTPRequestHandler):
    model: Model
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The list of models: those with a script."""
        names = [{"id": name, "object": "model"} for name in self.model.scripts]
        self._json(200, {"object": "list", "data": names})

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = self.model.answer(request)
        if "status" in answer:
            self._fail(answer)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for delta in _deltas(answer):
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        self._event(
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if answer["calls"] else "stop"}]}
        )
        usage = answer.get("usage") or {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        self._event({"choices": [], "usage": usage})
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True

    def _event(self, chunk: dict[str, Any]) -> None:
        frame = {"id": "chat-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted", **chunk}
        self.wfile.write(f"data: {json.dumps(frame)}\n\n".encode())

    def _fail(self, answer: dict[str, Any]) -> None:
        error = {"message": answer["message"], "code": answer["code"], "type": answer["code"]}
        self._json(answer["status"], {"error": error}, **answer["headers"])

    def _json(self, status: int, content: dict[str, Any], **headers: str) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        for name, value in {
            "content-type": "application/json",
            "content-length": str(len(body)),
            **headers,
        }.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


def _deltas(answer: dict[str, Any]) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": word + " "} for word in answer["text"].split(" ") if word]
    for index, each in enumerate(answer["calls"]):
        identity = {"id": each["id"] or f"call_{index}", "type": "function"}
        deltas.append(
            {"tool_calls": [{"index": index, **identity, "function": {"name": each["tool"], "arguments": ""}}]}
        )
        deltas.append({"tool_calls": [{"index": index, "function": {"arguments": each["arguments"]}}]})
    return deltas


class ModelServer:
    """Serves one `Model` until it is closed."""

    def __init__(self, model: Model) -> None:
        handler = type("Handler", (_Handler,), {"model": model})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        model.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
