"""A server with a small model of each family, and one that comes with it; each is trained for a few steps and exported."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

# Nothing is looked for on a hub.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"

from byte_pairs import SPLITTINGS, write_tokenizer  # noqa: E402
from exported_models import TrainedModel  # noqa: E402
from family_templates import family_template  # noqa: E402
from heddle_client import BASE_MODEL  # noqa: E402
from heddle_process import Heddle, running_heddle  # noqa: E402
from texts import CORPUS  # noqa: E402

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of base models."""
    folder = tmp_path_factory.mktemp("bases")
    command = ["node", "--import", "tsx", "apps/training/exports/testing/write-base-models.ts", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr.decode()
    for name in SPLITTINGS:
        write_tokenizer(folder / name, CORPUS, family_template(name))
    return folder


@pytest.fixture(scope="session")
def heddle(bases: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Heddle]:
    with running_heddle(tmp_path_factory.mktemp("heddle"), {"HEDDLE_BASE_MODELS_DIR": str(bases)}) as server:
        yield server


@pytest.fixture(scope="session")
def model_of(heddle: Heddle, bases: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], TrainedModel]:
    """Each model is trained once."""
    folder = tmp_path_factory.mktemp("exports")
    trained: dict[str, TrainedModel] = {}

    def of(name: str) -> TrainedModel:
        if name not in trained:
            base = BASE_MODEL if name == BASE_MODEL.name else bases / name
            trained[name] = TrainedModel(heddle, base, folder)
        return trained[name]

    return of


@pytest.fixture(params=[*SPLITTINGS, BASE_MODEL.name])
def model(request: pytest.FixtureRequest, model_of: Callable[[str], TrainedModel]) -> TrainedModel:
    return model_of(request.param)
