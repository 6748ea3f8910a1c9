"""The programs of the pages about clients, in the versions that the pages name, against the server that `npm run test:python` has started."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
SERVER_URL = os.environ.get("HEDDLE_TEST_URL", "")
API_KEY = os.environ.get("HEDDLE_TEST_API_KEY", "")
if not SERVER_URL or not API_KEY:
    pytest.exit("HEDDLE_TEST_URL and HEDDLE_TEST_API_KEY are not set: run these tests with `npm run test:python`.", returncode=2)


@pytest.fixture(scope="session")
def provider_url() -> Iterator[str]:
    """Address of a stand-in for model providers, which gives scripted replies."""
    program = REPOSITORY / ".scripts/record-instrumentations/stand-in/serve.ts"
    command = ["node", "--import", "tsx", str(program)]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()
