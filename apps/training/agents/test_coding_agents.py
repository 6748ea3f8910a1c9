"""Sessions of the coding agents' own programs: they run through, are recorded, and are trained on."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from conftest import Model
from heddle_client import Client
from heddle_process import Heddle, wait_for

LIMIT_SECONDS = 900
GROUP = "make-a-file"
AGENTS = ["claude-code", "codex"]
PAGE = (Path(__file__).parents[3] / "docs" / "serving-trained-models.md").read_text()


def run(command: list[str | Path], folder: Path, variables: dict[str, str]) -> str:
    """Runs a program in an empty repository, with settings of its own, and returns what it prints."""
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**kept, "HOME": str(folder.parent), **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT_SECONDS,
        check=False,
        text=True,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def claude_code(heddle: Heddle, programs: Path, model: Model, folder: Path) -> str:
    """The last answer of a session."""
    variables = {
        "ANTHROPIC_BASE_URL": heddle.url,
        "ANTHROPIC_API_KEY": heddle.key,
        "ANTHROPIC_MODEL": model.name,
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": model.name,
        "ANTHROPIC_CUSTOM_HEADERS": f"x-heddle-trajectory-id: claude-code\nx-heddle-group-id: {GROUP}",
        "API_TIMEOUT_MS": str(LIMIT_SECONDS * 1000),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CONFIG_DIR": str(folder.parent / "claude"),
    }
    command = [programs / "claude", "-p", "Make a file.", "--output-format", "json", "--allowedTools", "Bash"]
    result = json.loads(run(command, folder, variables))
    assert result["is_error"] is False, result
    return str(result["result"])


def codex(heddle: Heddle, programs: Path, model: Model, folder: Path) -> str:
    """The last answer of a session."""
    home = folder.parent / "codex"
    home.mkdir()
    (home / "config.toml").write_text(codex_settings(heddle, model))
    command = [programs / "codex", "exec", "--json", "--dangerously-bypass-approvals-and-sandbox", "Make a file."]
    printed = run(command, folder, {"CODEX_HOME": str(home), "HEDDLE_API_KEY": heddle.key})
    events = [json.loads(line) for line in printed.splitlines()]
    assert events[-1]["type"] == "turn.completed", events
    return str([event for event in events if event["type"] == "item.completed"][-1]["item"]["text"])


def codex_settings(heddle: Heddle, model: Model) -> str:
    """The settings of the page, with this server, model and trajectory, and the time that a model on a CPU may take."""
    (settings,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    for shown, used in [("http://127.0.0.1:7400", heddle.url), ("local/default/coder", model.name), ("attempt-1", "codex")]:
        assert settings.count(f'"{shown}') == 1, f"{shown} in {settings}"
        settings = settings.replace(shown, used)
    return f"{settings}stream_idle_timeout_ms = {LIMIT_SECONDS * 1000}\n"


SESSIONS = {"claude-code": claude_code, "codex": codex}


def a_folder(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name / "work"
    folder.mkdir(parents=True)
    return folder


def choices_of(trajectory: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in trajectory["messages_and_choices"] if "finish_reason" in each]


def test_sessions_of_both_agents_call_tools_and_are_recorded_and_trained_on(
    heddle: Heddle, client: Client, model: Model, programs: Path, tmp_path: Path
) -> None:
    for name in AGENTS:
        folder = a_folder(tmp_path, name)
        assert SESSIONS[name](heddle, programs, model, folder) == "done"
        assert (folder / "made.txt").read_text() == "made\n"

    recorded = f"/v1/preview/models/{model.id}"
    for reward, name in enumerate(AGENTS):
        finished = client.call("POST", f"{recorded}/recorded-trajectories/{name}/finish", json={"reward": reward})
        assert finished["calls"] >= 2
    lines = client.http.get(f"{recorded}/recorded-groups").text.splitlines()
    (group,) = [json.loads(line) for line in lines]
    for trajectory in group["trajectories"]:
        call, answer = choices_of(trajectory)[-2:]
        assert [call["finish_reason"], answer["finish_reason"]] == ["tool_calls", "stop"]
        assert len(call["token_ids"]) == len(call["logprobs"]["content"]) == 2
        assert trajectory["tools"]

    job = client.call("POST", f"{recorded}/recorded-groups/train", json={"group_id": GROUP})["id"]

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = client.call("GET", f"/v1/preview/training-jobs/{job}")
        return found if found["status"] not in ("queued", "running") else None

    found = wait_for("the job ends", ended)
    assert (found["status"], found["step"]) == ("succeeded", 1), found
    answered = client.http.post("/v1/chat/completions", json={"model": model.name, "messages": [{"role": "user", "content": "hi"}], "max_tokens": 2})
    assert answered.headers["x-model-step"] == "1"


def test_a_tool_that_only_another_server_runs_is_refused_by_its_place(client: Client, model: Model) -> None:
    refused = client.http.post("/v1/responses", json={"model": model.name, "input": "hi", "tools": [{"type": "web_search"}]})
    assert (refused.status_code, refused.json()["error"]["param"]) == (400, "tools[0].type")
