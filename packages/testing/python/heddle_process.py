"""Servers of Heddle in processes of their own, for tests beside other programs."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

COMMAND = os.environ.get("HEDDLE_TEST_COMMAND", "")
if not COMMAND:
    pytest.exit("HEDDLE_TEST_COMMAND is not set: run these tests with `npm run test:python`.", returncode=2)
LIMIT_SECONDS = 180


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for[T](what: str, look: Callable[[], T | None], show: Callable[[], object] = lambda: "", seconds: float = LIMIT_SECONDS) -> T:
    """Looks until there is something. The limit is for a machine that is busy otherwise."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.3)
    raise AssertionError(f"{what}: not within {seconds} s; {show()}")


class Heddle:
    """A server that trains, with its data in a folder."""

    def __init__(self, folder: Path, variables: dict[str, str]) -> None:
        self.key = secrets.token_hex(20)
        port = free_port()
        own = {
            "HEDDLE_HOST": "127.0.0.1",
            "HEDDLE_PORT": str(port),
            "HEDDLE_DATA_DIR": str(folder / "data"),
            "HEDDLE_API_KEY": self.key,
            "HEDDLE_ONLY": "training",
        }
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "server.log"
        with open(self.log, "ab") as log:
            command = ["node", COMMAND, "serve", "--log-level", "info"]
            self.process = subprocess.Popen(command, env={**os.environ, **own, **variables}, stdout=log, stderr=log)

    def lines(self) -> str:
        return self.log.read_text()

    def is_well(self) -> bool:
        """Whether the check of the service reaches the training server."""
        assert self.process.poll() is None, self.lines()
        try:
            checks = httpx.get(f"{self.url}/v1/system-check", headers={"Authorization": f"Bearer {self.key}"}, timeout=30)
        except httpx.TransportError:
            return False
        return checks.status_code == 200 and checks.json()["gpu_queue"]["success"]

    def wait_until_well(self) -> None:
        wait_for("the training server is ready", self.is_well, self.lines)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(60)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(60)


@contextmanager
def running_heddle(folder: Path, variables: dict[str, str]) -> Iterator[Heddle]:
    """A server that is ready, and is stopped afterwards."""
    server = Heddle(folder, variables)
    try:
        server.wait_until_well()
        yield server
    finally:
        server.stop()
