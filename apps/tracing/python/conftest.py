"""The published Python client as a user has it, against the server that `npm run test:python` has started."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from started_server import API_KEY, SERVER_URL

# Settings of the person who runs the tests would send their calls elsewhere.
for name in [name for name in os.environ if name.startswith(("WANDB_", "WEAVE_", "WF_", "OTEL_"))]:
    del os.environ[name]
# Tests report nothing to third parties; the client reads this when it is imported.
os.environ["WANDB_ERROR_REPORTING"] = "false"


def user_environment(home: Path) -> dict[str, str]:
    """All that a user sets, the address and the key, with a home folder in which nothing is configured."""
    return {"WANDB_BASE_URL": SERVER_URL, "WANDB_API_KEY": API_KEY, "HOME": str(home), "TMPDIR": str(home)}


# A comparison that fails in a helper shows both sides, as one in a test does.
pytest.register_assert_rewrite("eval_results")

# Requests made up from the document test the server alone, so they run beside one version of the client.
collect_ignore = [] if find_spec("schemathesis") else ["test_openapi.py"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a user's program that runs as a process of its own."""
    return {**user_environment(tmp_path), "PATH": os.environ.get("PATH", ""), "WANDB_ERROR_REPORTING": "false"}


@pytest.fixture
def project() -> str:
    """A project that no other test uses."""
    return f"team/{uuid.uuid4()}"


@pytest.fixture(params=["complete", "start-and-end"])
def client(request: pytest.FixtureRequest, project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator:
    """A started client in a new project, once for each of the two ways in which it sends calls. Its calls are readable after `flush()`."""
    for name, value in user_environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("WEAVE_PRINT_CALL_LINK", "false")
    # The cache of 0.52 breaks off when something is deleted after it was read.
    monkeypatch.setenv("WEAVE_USE_SERVER_CACHE", "false")
    if request.param == "start-and-end":
        monkeypatch.setenv("WEAVE_USE_CALLS_COMPLETE", "false")
    import weave

    yield weave.init(project)
    weave.finish()
