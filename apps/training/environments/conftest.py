"""Environments of verifiers and tasks of Harbor as a user has them, against the server that `npm run test:python` has started."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from started_server import API_KEY, SERVER_URL

# Settings of the person who runs the tests would send their data elsewhere.
for name in [name for name in os.environ if name.startswith(("PRIME_", "OPENAI_", "HEDDLE_BASE"))]:
    del os.environ[name]
os.environ["HEDDLE_API_KEY"] = API_KEY
os.environ["HEDDLE_BASE_URL"] = SERVER_URL
# A library of Harbor would fetch a list of prices.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
# Programs of agents are prepared by uv, which is installed beside this Python and trusts what pip trusts.
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
if "PIP_CERT" in os.environ:
    os.environ.setdefault("SSL_CERT_FILE", os.environ["PIP_CERT"])
sys.path.append(str(Path(__file__).parent / "testing"))


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with httpx.Client(base_url=SERVER_URL, headers={"authorization": f"Bearer {API_KEY}"}, timeout=120) as client:
        yield client
