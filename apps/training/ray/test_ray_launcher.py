"""The launcher for Ray against a real head: the training server's whole life, seen over the Jobs API that every other client uses."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Head, Start
from heddle_client import Client
from heddle_process import free_port, wait_for

STAND_IN = Path(__file__).with_name("tinker_stand_in.py")
SERVER = Path(__file__).parent.parent / "src/engine/tinker/testing/dying-server.ts"
# Three optimizer steps before the first one of a job measure how the server adds up.
SECOND_STEP = 3 + 2


@pytest.fixture
def launcher(head: Head) -> Iterator[dict[str, Any]]:
    port = free_port()
    yield {
        "kind": "ray",
        "url": head.url,
        "command": f"exec {sys.executable} {STAND_IN} {port}",
        "port": port,
        "address": f"http://127.0.0.1:{port}",
        "environment": {"STAND_IN_WORD": "a word"},
        "name": f"heddle-{port}",
    }
    head.stop_all()


def process_of(launcher: dict[str, Any]) -> int:
    return int(httpx.get(f"{launcher['address']}/pid").text)


def test_a_server_is_started_replaced_when_it_dies_adopted_after_a_kill_and_stopped_at_the_end(
    head: Head, start: Start, launcher: dict[str, Any]
) -> None:
    name = launcher["name"]
    heddle = start(launcher)
    heddle.wait_until_well()
    assert head.unfinished() == [f"{name}-1"]
    job = head.jobs()[f"{name}-1"]
    assert job["entrypoint"] == launcher["command"]
    assert job["runtime_env"]["env_vars"] == {"STAND_IN_WORD": "a word"}
    assert "stand-in with a word" in head.http.get(f"/api/jobs/{name}-1/logs").json()["logs"]

    os.kill(process_of(launcher), signal.SIGKILL)
    wait_for("another server is started", lambda: head.unfinished() == [f"{name}-2"], heddle.lines)
    heddle.wait_until_well()
    assert head.jobs()[f"{name}-1"]["status"] == "FAILED"
    assert "the job is failed" in heddle.lines()

    before = process_of(launcher)
    heddle.kill()
    after = start(launcher)
    after.wait_until_well()
    assert process_of(launcher) == before
    assert head.unfinished() == [f"{name}-2"]

    after.stop()
    wait_for("the server is stopped", lambda: not head.unfinished(), head.jobs)
    assert head.jobs()[f"{name}-2"]["status"] == "STOPPED"
    with pytest.raises(httpx.TransportError):
        process_of(launcher)


def test_a_server_that_is_to_be_kept_stays_until_its_settings_change(head: Head, start: Start, launcher: dict[str, Any]) -> None:
    name = launcher["name"]
    kept = {**launcher, "when_heddle_stops": "keep"}
    first = start(kept)
    first.wait_until_well()
    first.stop()
    assert head.unfinished() == [f"{name}-1"]

    changed = start({**launcher, "environment": {"STAND_IN_WORD": "another word"}})
    wait_for("the changed server runs", lambda: head.unfinished() == [f"{name}-2"], changed.lines)
    changed.wait_until_well()
    assert head.jobs()[f"{name}-1"]["status"] == "STOPPED"


def test_a_job_whose_server_is_killed_between_two_steps_succeeds_on_the_next_server(
    head: Head, start: Start, launcher: dict[str, Any], tmp_path: Path
) -> None:
    name = launcher["name"]
    saved = tmp_path / "saved"
    saved.mkdir()
    command = f"cd {SERVER.parent} && exec node --import tsx {SERVER} {launcher['port']} {saved} {SECOND_STEP}"
    heddle = start({**launcher, "command": command})
    heddle.wait_until_well()
    client = Client(heddle)
    model = client.register("words")
    prompts = [f"Reply with a word of 4 letters that begins with {letter}." for letter in "abcdfghl"]
    groups = [attempts(client, model, prompt) for prompt in prompts]
    steps = client.train(model, groups, seed=1)

    assert head.jobs()[f"{name}-1"]["status"] == "FAILED"
    assert head.unfinished() == [f"{name}-2"]
    assert len(steps) > 2
    assert client.chat(f"{model}:step1", prompts[0])
    undisturbed = client.train(client.register("undisturbed"), groups, seed=1)
    assert [step["grad_norm"] for step in steps] == pytest.approx([step["grad_norm"] for step in undisturbed], rel=1e-3)


def attempts(client: Client, model: str, prompt: str) -> dict[str, Any]:
    """A group at one prompt that teaches something, whatever was answered."""
    turn = {"role": "user", "content": prompt}
    choices = client.chat(model, prompt, n=8, seed=1)
    return {"trajectories": [{"messages_and_choices": [turn, choice], "reward": place % 2} for place, choice in enumerate(choices)]}
