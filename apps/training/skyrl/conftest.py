"""SkyRL as its documentation starts it, on the processor, with the smallest model that comes with Heddle, and a server of Heddle that trains on it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from heddle_client import BASE_MODEL, Client
from heddle_process import free_port, running_heddle, wait_for

# Of the base model that both know: SkyRL has its weights, Heddle its tokenizer and template alone.
BASE = "elsewhere"
NOT_OF_WEIGHTS = ["config.json", "generation_config.json", "heddle.json", "tokenizer.json", "tokenizer_config.json"]
# Two models beside the base model: one is trained, and the other one is sampled from.
BACKEND = '{"max_lora_adapters":3,"max_lora_rank":8}'


class SkyRL:
    """The server with its engine, whose database and checkpoints outlive it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(BASE_MODEL, folder / BASE)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "skyrl.log"

    def start(self) -> None:
        environment = Path(sys.executable).parent.parent
        programs = f"{environment / 'bin'}:{os.environ['PATH']}"
        variables = {"JAX_PLATFORMS": "cpu", "HF_HUB_OFFLINE": "1", "VIRTUAL_ENV": str(environment), "PATH": programs}
        # The server starts its engine as it was started itself, so it must be a child of uv.
        command = ["uv", "run", "--no-project", "--active", "-m", "skyrl.tinker.api", "--host", "127.0.0.1", "--port", str(self.port)]
        model = ["--base-model", str(self.folder / BASE), "--backend", "jax", "--backend-config", BACKEND]
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
    bases = tmp_path_factory.mktemp("bases")
    (bases / BASE).mkdir()
    for name in NOT_OF_WEIGHTS:
        shutil.copy(BASE_MODEL / name, bases / BASE)
    settings = {"HEDDLE_TRAINING_ENGINE_URL": skyrl.url, "HEDDLE_BASE_MODELS_DIR": str(bases)}
    with running_heddle(tmp_path_factory.mktemp("heddle"), settings) as heddle:
        yield Client(heddle)
