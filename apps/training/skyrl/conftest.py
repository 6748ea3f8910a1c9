"""SkyRL as its documentation starts it, on the processor, with the smallest model that comes with Heddle, and a server of Heddle that trains on it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from heddle_process import Heddle, free_port, wait_for

BASE_MODEL = Path(__file__).parent.parent / "base-models" / "heddle-nano"
# Two models beside the base model: one is trained, and the other one is sampled from.
BACKEND = '{"max_lora_adapters":3,"max_lora_rank":8}'


class SkyRL:
    """The server with its engine, whose database and checkpoints outlive it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "skyrl.log"

    def start(self) -> None:
        environment = Path(sys.executable).parent.parent
        programs = f"{environment / 'bin'}:{os.environ['PATH']}"
        variables = {"JAX_PLATFORMS": "cpu", "HF_HUB_OFFLINE": "1", "VIRTUAL_ENV": str(environment), "PATH": programs}
        # The server starts its engine as it was started itself, so it must be a child of uv.
        command = ["uv", "run", "--no-project", "--active", "-m", "skyrl.tinker.api", "--host", "127.0.0.1", "--port", str(self.port)]
        model = ["--base-model", str(BASE_MODEL), "--backend", "jax", "--backend-config", BACKEND]
        stores = ["--database-url", f"sqlite:///{self.folder / 'skyrl.sqlite'}", "--checkpoints-base", str(self.folder / "checkpoints")]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*command, *model, *stores], env={**os.environ, **variables}, cwd=self.folder, stdout=log, stderr=log, start_new_session=True
            )
        wait_for("SkyRL answers", self.answers, self.lines)

    def lines(self) -> str:
        return self.log.read_text()[-5_000:]

    def answers(self) -> bool:
        assert self.process.poll() is None, self.lines()
        try:
            return httpx.get(f"{self.url}/api/v1/healthz").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """With everything that it has started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)


class Client:
    """Requests as a program of a user sends them."""

    def __init__(self, heddle: Heddle) -> None:
        self.http = httpx.Client(base_url=heddle.url, headers={"Authorization": f"Bearer {heddle.key}"}, timeout=180)

    def call(self, method: str, path: str, **options: Any) -> Any:
        response = self.http.request(method, path, **options)
        assert response.status_code == 200, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def register(self, name: str) -> str:
        """Returns the id of the model."""
        return str(self.call("POST", "/v1/preview/models", json={"project": "skyrl", "name": name, "base_model": BASE_MODEL.name})["id"])

    def chat(self, model: str, prompt: str, **options: Any) -> list[dict[str, Any]]:
        """Choices of the newest step, or of one that is named behind a colon."""
        body = {"model": model, "messages": [{"role": "user", "content": prompt}], "logprobs": True, "max_tokens": 16, **options}
        return list(self.call("POST", "/v1/chat/completions", json=body)["choices"])

    def finish(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        """Creates a job, and returns what its gradient steps reported once it has succeeded."""
        job = self.call("POST", f"/v1/preview/{path}", json=body)["id"]

        def ended() -> dict[str, Any] | None:
            found: dict[str, Any] = self.call("GET", f"/v1/preview/training-jobs/{job}")
            return found if found["status"] not in ("queued", "running") else None

        found = wait_for("the job ends", ended)
        assert found["status"] == "succeeded", found["error_message"]
        events = self.call("GET", f"/v1/preview/training-jobs/{job}/events?limit=100")["data"]
        return [event["data"] for event in events if event["type"] == "gradient_step"]

    def train(self, model: str, groups: list[dict[str, Any]], **config: Any) -> list[dict[str, Any]]:
        return self.finish("training-jobs", {"model_id": model, "trajectory_groups": groups, "experimental_config": config})

    def fine_tune(self, model: str, lines: str, **config: Any) -> list[dict[str, Any]]:
        url = self.call("POST", "/v1/preview/training-data?project=skyrl", content=lines, headers={"Content-Type": "application/jsonl"})["url"]
        return self.finish("sft-training-jobs", {"model_id": model, "training_data_url": url, "config": config})


@pytest.fixture(scope="session")
def skyrl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SkyRL]:
    server = SkyRL(tmp_path_factory.mktemp("skyrl"))
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def client(skyrl: SkyRL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    heddle = Heddle(tmp_path_factory.mktemp("heddle"), {"HEDDLE_TRAINING_ENGINE_URL": skyrl.url})
    try:
        heddle.wait_until_well()
        yield Client(heddle)
    finally:
        heddle.stop()
