"""A client of servers of Heddle that train the smallest model that comes with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
from heddle_process import Heddle, wait_for

BASE_MODEL = Path(__file__).parents[3] / "apps/training/base-models/heddle-nano"
PROJECT = "tests"


class Client:
    """Requests as a program of a user sends them."""

    def __init__(self, heddle: Heddle) -> None:
        self.http = httpx.Client(base_url=heddle.url, headers={"Authorization": f"Bearer {heddle.key}"}, timeout=180)

    def call(self, method: str, path: str, **options: Any) -> Any:
        response = self.http.request(method, path, **options)
        assert response.status_code == 200, f"{path}: {response.status_code} {response.text}"
        return response.json()

    def register(self, name: str, base_model: str = BASE_MODEL.name) -> str:
        """Returns the id of the model."""
        return str(self.call("POST", "/v1/preview/models", json={"project": PROJECT, "name": name, "base_model": base_model})["id"])

    def chat(self, model: str, prompt: str, **options: Any) -> list[dict[str, Any]]:
        """Choices of the newest step, or of one that is named behind a colon."""
        body = {"model": model, "messages": [{"role": "user", "content": prompt}], "logprobs": True, "max_tokens": 16, **options}
        return list(self.call("POST", "/v1/chat/completions", json=body)["choices"])

    def finish(self, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        """Creates a job, and returns what its gradient steps reported once it has succeeded."""
        job = self.call("POST", f"/v1/preview/{path}", json=body)["id"]

        def ended() -> dict[str, Any] | None:
            found: dict[str, Any] = self.call("GET", f"/v1/preview/training-jobs/{job}")
            return found if found["status"] not in ("queued", "running") else None

        found = wait_for("the job ends", ended)
        assert found["status"] == "succeeded", found["error_message"]
        events = self.call("GET", f"/v1/preview/training-jobs/{job}/events?limit=100")["data"]
        return [event["data"] for event in events if event["type"] == "gradient_step"]

    def train(self, model: str, groups: list[dict[str, Any]], **config: Any) -> list[dict[str, Any]]:
        return self.finish("training-jobs", {"model_id": model, "trajectory_groups": groups, "experimental_config": config})

    def fine_tune(self, model: str, lines: str, **config: Any) -> list[dict[str, Any]]:
        url = self.call("POST", f"/v1/preview/training-data?project={PROJECT}", content=lines, headers={"Content-Type": "application/jsonl"})["url"]
        return self.finish("sft-training-jobs", {"model_id": model, "training_data_url": url, "config": config})
