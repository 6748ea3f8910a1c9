"""The published client of the Tinker API as a user has it, against the server that `npm run test:python` has started."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator

import pytest
from started_server import API_KEY, SERVER_URL

# Settings of the person who runs the tests would send their data elsewhere.
for name in [name for name in os.environ if name.startswith("TINKER_")]:
    del os.environ[name]

import tinker  # noqa: E402

CLIENT_KEY = f"tml-{API_KEY}"


@pytest.fixture
def service() -> Iterator[tinker.ServiceClient]:
    """A client with a session in a project of its own, which ends with the test."""
    project = f"local/tinker-{uuid.uuid4().hex[:8]}"
    with tinker.ServiceClient(base_url=SERVER_URL, api_key=CLIENT_KEY, project_id=project) as client:
        yield client


@pytest.fixture
def rest() -> tinker.RestClient:
    return tinker.RestClient(base_url=SERVER_URL, api_key=CLIENT_KEY)
