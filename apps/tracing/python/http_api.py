"""Requests to the server itself, for what a version of the client has no method for."""

from __future__ import annotations

import json
from typing import Any
from urllib.request import Request, urlopen

from started_server import API_KEY, SERVER_URL

# One that a slow server may take; a longer wait is a hang.
ANSWER_LIMIT_SECONDS = 120


def get(path: str) -> Any:
    """The JSON answer of a request without a body."""
    return json.loads(answer(Request(SERVER_URL + path, headers=headers())))


def post(path: str, body: dict) -> Any:
    """The JSON answer of a request."""
    return json.loads(answer(Request(SERVER_URL + path, json.dumps(body).encode(), headers())))


def post_lines(path: str, body: dict) -> list[Any]:
    """The values of an answer of JSON lines."""
    return [json.loads(line) for line in answer(Request(SERVER_URL + path, json.dumps(body).encode(), headers())).splitlines()]


def headers() -> dict[str, str]:
    return {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}


def answer(request: Request) -> bytes:
    with urlopen(request, timeout=ANSWER_LIMIT_SECONDS) as response:
        return response.read()
