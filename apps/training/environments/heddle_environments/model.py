"""A model in training on a Heddle server: its recorded trajectories and its jobs."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import httpx

REQUEST_SECONDS = 120
POLL_SECONDS = 1
TRIES = 8
LONGEST_WAIT_SECONDS = 30
MAX_ERROR_TEXT = 2_000


class HeddleError(Exception):
    """The server refused a request, or a job failed. The message says why."""


@dataclass(frozen=True)
class Server:
    """Address of a server, without `/v1`, and the environment variable that holds its API key."""

    base_url: str
    key_variable: str = "HEDDLE_API_KEY"

    def connect(self) -> httpx.AsyncClient:
        """A client with the API key. Raises HeddleError where there is none."""
        key = os.environ.get(self.key_variable)
        if not key:
            raise HeddleError(f"{self.key_variable} is not set: it holds the API key of {self.base_url}")
        return httpx.AsyncClient(base_url=self.base_url, headers={"authorization": f"Bearer {key}"})


class HeddleModel:
    """Requests about one model. Close the client that it was made with."""

    def __init__(self, http: httpx.AsyncClient, found: dict[str, Any]) -> None:
        self._http = http
        self.id = str(found["id"])
        self.address = f"{found['entity']}/{found['project']}/{found['name']}"
        """The name of the model for chat completions: its newest checkpoint."""

    @classmethod
    async def open(cls, http: httpx.AsyncClient, project: str, name: str, base_model: str | None) -> HeddleModel:
        """The model with this name, which is registered if it is new and `base_model` says where it begins."""
        if base_model is not None:
            body = {"project": project, "name": name, "base_model": base_model, "return_existing": True}
            return cls(http, await request(http, "POST", "/v1/preview/models", json=body))
        found = (await request(http, "GET", "/v1/preview/models", params={"project": project, "name": name}))["data"]
        if not found:
            raise HeddleError(f"project {project} has no model {name!r}: name a base model, from which it is then registered")
        return cls(http, found[0])

    async def finish(self, trajectory_id: str, outcome: dict[str, Any]) -> bool:
        """Finishes a recorded trajectory. False: no chat completion was recorded in it."""
        path = f"/v1/preview/models/{self.id}/recorded-trajectories/{quote(trajectory_id, safe='')}/finish"
        return await request(self._http, "POST", path, json=outcome, absent=404) is not None

    async def train(self, rollout_id: str, config: dict[str, Any]) -> dict[str, Any]:
        """Trains on the finished trajectories of a rollout. Returns the job once it has succeeded."""
        path = f"/v1/preview/models/{self.id}/recorded-groups/train"
        body = {"rollout_id": rollout_id, "experimental_config": config}
        job = await request(self._http, "POST", path, json=body, headers={"idempotency-key": rollout_id})
        while True:
            found = await request(self._http, "GET", f"/v1/preview/training-jobs/{job['id']}")
            if found["status"] == "succeeded":
                return dict(found)
            if found["status"] not in ("queued", "running"):
                raise HeddleError(f"job {job['id']} {found['status']}: {found['error_message'] or 'no reason was given'}")
            await asyncio.sleep(POLL_SECONDS)


async def request(http: httpx.AsyncClient, method: str, path: str, *, absent: int | None = None, **options: Any) -> Any:
    """The JSON of an answer, or None where its status is `absent`. Waits where the server is busy, and repeats what was lost on the way."""
    for tries_left in reversed(range(TRIES)):
        try:
            response = await http.request(method, path, timeout=REQUEST_SECONDS, **options)
        except httpx.TransportError as error:
            if tries_left == 0:
                raise HeddleError(f"{method} {http.base_url}{path.lstrip('/')}: {error or type(error).__name__}") from error
            await asyncio.sleep(POLL_SECONDS)
            continue
        if response.status_code == absent:
            return None
        if response.is_success:
            return response.json()
        if tries_left == 0 or response.status_code not in (429, 502, 503, 504):
            raise HeddleError(f"{method} {path}: {response.status_code} {response.text[:MAX_ERROR_TEXT]}")
        await asyncio.sleep(wait_of(response))


def wait_of(response: httpx.Response) -> float:
    """Seconds until the next try, as the server says, at most half a minute."""
    said = response.headers.get("retry-after", "")
    return min(float(said), LONGEST_WAIT_SECONDS) if said.isdigit() else POLL_SECONDS
