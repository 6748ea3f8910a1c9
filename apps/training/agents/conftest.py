"""A server with a model that follows a script, so that agents work as with any other: it calls the shell of a coding agent, and then says "done"."""

from __future__ import annotations

import shutil
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from heddle_client import PROJECT, Client
from heddle_process import Heddle, running_heddle

ROOT = Path(__file__).parents[3]
INSTALL_SECONDS = 900


@pytest.fixture(scope="session")
def heddle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Heddle]:
    bases = tmp_path_factory.mktemp("bases")
    command = ["node", "--import", "tsx", "apps/training/agents/testing/write-scripted-model.ts", str(bases / "scripted")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr.decode()
    with running_heddle(tmp_path_factory.mktemp("heddle"), {"HEDDLE_BASE_MODELS_DIR": str(bases)}) as server:
        yield server


@pytest.fixture(scope="session")
def client(heddle: Heddle) -> Client:
    return Client(heddle)


class Model:
    """A model of a base model with the script."""

    def __init__(self, client: Client) -> None:
        name = f"m-{uuid.uuid4().hex[:8]}"
        self.id = client.register(name, "scripted")
        self.name = f"local/{PROJECT}/{name}"


@pytest.fixture
def model(client: Client) -> Model:
    return Model(client)


@pytest.fixture(scope="session")
def programs() -> Path:
    """Folder of the command-line programs of agents."""
    return installed("programs") / "node_modules" / ".bin"


@pytest.fixture(scope="session")
def libraries() -> Path:
    """Folder of the libraries that agents are written with, and of the program that uses them."""
    folder = installed("libraries")
    shutil.copy(Path(__file__).parent / "libraries" / "clients.mjs", folder)
    return folder


def installed(name: str) -> Path:
    """A folder with the packages of the one of this name, installed once for each set of versions."""
    wanted = (Path(__file__).parent / name / "package.json").read_text()
    folder = ROOT / ".python" / f"agents-{name}"
    given = folder / "package.json"
    if not (folder / "installed").exists() or given.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        given.write_text(wanted)
        command = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=INSTALL_SECONDS, check=False)
        assert done.returncode == 0, done.stderr.decode()
        (folder / "installed").touch()
    return folder
