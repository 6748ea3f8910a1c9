"""A server of chat completions that gives the answers of a script, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@contextmanager
def scripted_model(answers: list[dict[str, Any]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its address, and the requests so far, each with the headers of its trajectory. The last answer is given again where there are no more."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = answers[min(len(asked), len(answers) - 1)]
            asked.append({"body": body, "trajectory": self.headers["x-heddle-trajectory-id"], "key": self.headers["authorization"]})
            choice = {"index": 0, "message": {"role": "assistant", "content": None, **answer}, "finish_reason": "stop"}
            usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
            said = json.dumps({"id": "c", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice], "usage": usage}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
