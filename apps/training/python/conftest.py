"""The published Python client for training as a user has it, against the server that `npm run test:python` has started."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from started_server import API_KEY, SERVER_URL

# Settings of the person who runs the tests would send their data elsewhere, and with a key of the tracking service the client wants that service too.
for name in [name for name in os.environ if name.startswith(("WANDB_", "WEAVE_", "OPENAI_"))]:
    del os.environ[name]
# The client imports the tracing client, which would go on in whatever run its tracking client has had.
os.environ["WEAVE_DISABLED"] = "true"
# Prices come with the package; the newest are asked for over the network.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

# After the variables, which some of these read when they are imported.
import art  # noqa: E402
from art.serverless.backend import ServerlessBackend  # noqa: E402

Opened = tuple[art.TrainableModel, ServerlessBackend]
Open = Callable[[], AbstractAsyncContextManager[Opened]]


@pytest.fixture
def open_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Registers the model of this test with a client of its own, as each start of a user's program does."""
    monkeypatch.chdir(tmp_path)
    name = f"model-{uuid.uuid4().hex[:8]}"

    @asynccontextmanager
    async def opened() -> AsyncIterator[Opened]:
        # The newest release registers a model under its `run_name`, which the older ones do not have.
        run_name = {"run_name": name} if "run_name" in art.TrainableModel.model_fields else {}
        model = art.TrainableModel(name=name, project="training-tests", base_model="heddle-nano", **run_name)
        backend = ServerlessBackend(api_key=API_KEY, base_url=f"{SERVER_URL}/v1")
        try:
            await model.register(backend)
            yield model, backend
        finally:
            await backend.close()

    return opened
