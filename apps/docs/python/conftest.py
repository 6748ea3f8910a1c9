"""The programs of the pages about clients, in the versions that the pages name, against the server that `npm run test:python` has started."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def provider_url() -> Iterator[str]:
    """Address of a stand-in for model providers, which gives scripted replies."""
    program = REPOSITORY / ".scripts/record-instrumentations/stand-in/serve.ts"
    command = ["node", "--import", "tsx", str(program)]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
