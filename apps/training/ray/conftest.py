"""A real Ray head on this machine, small, and servers of Heddle that start their training server on it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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


def wait_for[T](what: str, look: Callable[[], T | None], show: Callable[[], object] = lambda: "") -> T:
    """Looks until there is something. The limit is for a machine that is busy otherwise."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.3)
    raise AssertionError(f"{what}: not within {LIMIT_SECONDS} s; {show()}")


class Head:
    """The Jobs API of a head, asked without Heddle."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60)

    def jobs(self) -> dict[str, dict[str, Any]]:
        return {job["submission_id"]: job for job in self.http.get("/api/jobs/").raise_for_status().json()}

    def unfinished(self) -> list[str]:
        return [name for name, job in self.jobs().items() if job["status"] in ("PENDING", "RUNNING")]

    def stop_all(self) -> None:
        for name in self.unfinished():
            self.http.post(f"/api/jobs/{name}/stop").raise_for_status()
        wait_for("the jobs stop", lambda: not self.unfinished(), self.jobs)


@pytest.fixture(scope="session")
def head() -> Iterator[Head]:
    ports = [free_port() for _ in range(3)]
    # Paths of sockets are short.
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")
    limits = ["--num-cpus=1", "--num-gpus=0", "--memory=1000000000", "--object-store-memory=80000000"]
    addresses = ["--node-ip-address=127.0.0.1", f"--port={ports[0]}", "--dashboard-host=127.0.0.1", f"--dashboard-port={ports[1]}"]
    command = [str(Path(sys.executable).parent / "ray"), "start", "--head", "--block", "--disable-usage-stats", f"--temp-dir={folder}"]
    with open(Path(folder) / "head.log", "wb") as log:
        arguments = [*command, *addresses, f"--dashboard-agent-listen-port={ports[2]}", *limits]
        process = subprocess.Popen(arguments, stdout=log, stderr=log)
    try:
        found = Head(f"http://127.0.0.1:{ports[1]}")

        def answers() -> bool:
            assert process.poll() is None, (Path(folder) / "head.log").read_text()
            try:
                return found.http.get("/api/jobs/").status_code == 200
            except httpx.TransportError:
                return False

        wait_for("the head answers", answers)
        yield found
    finally:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


class Heddle:
    """A server of Heddle in a process of its own."""

    def __init__(self, folder: Path, launcher: dict[str, Any]) -> None:
        file = folder / "launcher.json"
        file.write_text(json.dumps(launcher))
        self.key = secrets.token_hex(20)
        port = free_port()
        own = {
            "HEDDLE_HOST": "127.0.0.1",
            "HEDDLE_PORT": str(port),
            "HEDDLE_DATA_DIR": str(folder / "data"),
            "HEDDLE_API_KEY": self.key,
            "HEDDLE_ONLY": "training",
            "HEDDLE_TRAINING_LAUNCHER_FILE": str(file),
        }
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / "server.log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(["node", COMMAND, "serve", "--log-level", "info"], env={**os.environ, **own}, stdout=log, stderr=log)

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


Start = Callable[[dict[str, Any]], Heddle]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers on one data folder, which are killed after the test."""
    started: list[Heddle] = []

    def begin(launcher: dict[str, Any]) -> Heddle:
        started.append(Heddle(tmp_path, launcher))
        return started[-1]

    yield begin
    for each in started:
        if each.process.poll() is None:
            each.kill()
