"""A server with a small base model of a name that recipes know, and a folder in which they find its tokenizer and their data."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from heddle_client import BASE_MODEL
from heddle_process import Heddle, running_heddle

MODEL = "meta-llama/Llama-3.2-1B"
LIMIT_SECONDS = 600


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of base models."""
    folder = tmp_path_factory.mktemp("bases")
    (folder / "Llama-3.2-1B").symlink_to(BASE_MODEL.parent / "heddle-micro")
    return folder


@pytest.fixture(scope="session")
def heddle(tmp_path_factory: pytest.TempPathFactory, bases: Path) -> Iterator[Heddle]:
    with running_heddle(tmp_path_factory.mktemp("heddle"), {"HEDDLE_BASE_MODELS_DIR": str(bases)}) as server:
        yield server


def sums(count: int) -> Iterator[dict[str, object]]:
    """Conversations that add two digits, after an example of it."""
    chance = random.Random(1)
    for _ in range(count):
        a, b = chance.randint(0, 9), chance.randint(0, 9)
        turns = [("What is 4 + 5?", "9"), (f"What is {a} + {b}?", str(a + b))]
        yield {
            "messages": [
                message
                for question, answer in turns
                for message in ({"role": "user", "content": question}, {"role": "assistant", "content": answer})
            ]
        }


class Workplace:
    """Where recipes run, as a person without a connection to the hub has it."""

    def __init__(self, folder: Path, heddle: Heddle, bases: Path) -> None:
        self.folder = folder
        (folder / "meta-llama").mkdir()
        (folder / "meta-llama" / "Llama-3.2-1B").symlink_to(bases / "Llama-3.2-1B")
        own = {"TINKER_BASE_URL": heddle.url, "TINKER_API_KEY": f"tml-{heddle.key}", "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hub")}
        others = {name: value for name, value in os.environ.items() if not name.startswith("TINKER_")}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.variables = {**others, **own, "PATH": path, "HEDDLE_BASE_MODELS_DIR": str(bases)}

    def write_lines(self, path: str, lines: Iterator[dict[str, object]]) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    def run(self, *command: str) -> str:
        """Returns what it printed."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.variables, capture_output=True, text=True, timeout=LIMIT_SECONDS, check=False
        )
        assert done.returncode == 0, f"{done.stdout[-4_000:]}\n{done.stderr[-4_000:]}"
        return done.stdout + done.stderr

    def recipe(self, name: str, log: str, **parameters: object) -> list[dict[str, float]]:
        """Runs a recipe with parameters of its command line, and returns the metrics of its steps."""
        given = [f"{key}={value}" for key, value in {"model_name": MODEL, "log_path": log, **parameters}.items()]
        self.run(sys.executable, "-m", f"tinker_cookbook.recipes.{name}", *given)
        return self.metrics(log)

    def metrics(self, log: str) -> list[dict[str, float]]:
        return [json.loads(line) for line in (self.folder / log / "metrics.jsonl").read_text().splitlines()]


@pytest.fixture
def workplace(tmp_path: Path, heddle: Heddle, bases: Path) -> Workplace:
    return Workplace(tmp_path, heddle, bases)
