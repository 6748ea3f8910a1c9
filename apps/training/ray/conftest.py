"""A real Ray head on this machine, small, and servers of Heddle that start their training server on it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from heddle_process import Heddle, free_port, wait_for

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


Start = Callable[[dict[str, Any]], Heddle]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts servers on one data folder, which are killed after the test."""
    started: list[Heddle] = []

    def begin(launcher: dict[str, Any]) -> Heddle:
        file = tmp_path / "launcher.json"
        file.write_text(json.dumps(launcher))
        started.append(Heddle(tmp_path, {"HEDDLE_TRAINING_LAUNCHER_FILE": str(file)}))
        return started[-1]

    yield begin
    for each in started:
        if each.process.poll() is None:
            each.kill()
