"""A model is trained in a real environment of verifiers: its program runs, the server records its calls, and the reward arrives."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import httpx
import pytest
from heddle_environments.command import main, make_parser, read_pairs
from heddle_environments.harbor.command import make_parser as make_harbor_parser

CHAT_ALONE = ["--taskset", "vowel_taskset", "--runtime", "subprocess", "--harness", "null", "--max-tokens", "8", "--temperature", "2"]
FEW = ["--tasks", "2", "--attempts", "3"]


def new_name() -> str:
    return f"vowels-{uuid.uuid4().hex[:8]}"


def model_id(http: httpx.Client, name: str) -> str:
    (model,) = http.get("/v1/preview/models", params={"project": "default", "name": name}).json()["data"]
    return str(model["id"])


def recorded_groups(http: httpx.Client, name: str) -> list[dict[str, Any]]:
    lines = http.get(f"/v1/preview/models/{model_id(http, name)}/recorded-groups").text.splitlines()
    return [json.loads(line) for line in lines]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 1
    return capsys.readouterr().err


def test_two_steps_train_on_the_tokens_and_rewards_of_their_attempts(http: httpx.Client, capsys: pytest.CaptureFixture[str]) -> None:
    name = new_name()
    # So many that hardly ever all attempts at both tasks have equal rewards, which would train nothing.
    sizes = ["--steps", "2", "--tasks", "2", "--attempts", "10"]
    main([name, "--base", "heddle-nano", *sizes, *CHAT_ALONE, "--config", "learning_rate=0.002"])
    steps = capsys.readouterr().out.splitlines()
    assert [re.sub(r"reward \d\.\d{3}", "reward", step) for step in steps] == [
        f"step {number}/2: reward, 20 attempts, checkpoint {number}" for number in (1, 2)
    ]
    groups = recorded_groups(http, name)
    assert [len(group["trajectories"]) for group in groups] == [10] * 4
    for trajectory in (one for group in groups for one in group["trajectories"]):
        question, choice = trajectory["messages_and_choices"]
        assert re.fullmatch(r"Say word [01]\.", question["content"])
        text = choice["message"]["content"]
        assert trajectory["reward"] == pytest.approx(sum(letter in "aeiou" for letter in text) / max(1, len(text)))
        assert trajectory["metrics"] == {"reward/vowels": pytest.approx(trajectory["reward"]), "characters": len(text)}
        assert trajectory["metadata"]["environment"] == "vowel_taskset"
        assert len(choice["token_ids"]) == len(choice["logprobs"]["content"]) > 0
    jobs = http.get("/v1/preview/training-jobs", params={"model_id": model_id(http, name)}).json()["data"]
    assert [(job["status"], job["message"], job["config"]["learning_rate"]) for job in jobs] == [("succeeded", None, 0.002)] * 2


def test_attempts_that_fail_are_counted_with_their_reason_and_train_nothing(http: httpx.Client, capsys: pytest.CaptureFixture[str]) -> None:
    name = new_name()
    main([name, "--base", "heddle-nano", *FEW, *CHAT_ALONE, "--set", "taskset.broken=true"])
    (step,) = capsys.readouterr().out.splitlines()
    assert step.startswith("step 1/1: no rewards, 6 attempts, 6 failed (TaskError: ") and "no reward today" in step
    assert "nothing was trained: no trajectories" in step
    assert [len(group["exceptions"]) for group in recorded_groups(http, name)] == [3, 3]


def test_what_cannot_be_trained_is_refused_before_an_attempt(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = ["--taskset", "no-such-taskset", "--runtime", "subprocess"]
    assert "'no-such-taskset' not found" in refused(capsys, "any", *unknown)
    assert "project default has no model 'missing'" in refused(capsys, "missing", *CHAT_ALONE)
    assert "debate_env has the agents solver, critic" in refused(
        capsys, new_name(), "--base", "heddle-nano", "--taskset", "vowel_taskset", "--runtime", "subprocess", "--set", "id=debate_env"
    )
    assert "no tasks" in refused(capsys, new_name(), "--base", "heddle-nano", *CHAT_ALONE, "--set", "taskset.num_tasks=0")
    assert "400" in refused(capsys, new_name(), "--base", "no-such-base", *CHAT_ALONE)
    monkeypatch.delenv("HEDDLE_API_KEY")
    assert "HEDDLE_API_KEY is not set" in refused(capsys, "any", *CHAT_ALONE)


def test_settings_nest_and_a_wrong_one_is_named() -> None:
    assert read_pairs(["a.b=1", "a.c=x y", 'd=["e"]']) == {"a": {"b": 1, "c": "x y"}, "d": ["e"]}
    with pytest.raises(ValueError, match="'a' is not a setting: write NAME=VALUE"):
        read_pairs(["a"])
    with pytest.raises(ValueError, match=r"'a.b=1' sets a part of 'a', which has a value already"):
        read_pairs(["a=1", "a.b=1"])


PAGE = (Path(__file__).parents[3] / "docs" / "environments.md").read_text()


def test_the_commands_of_the_documentation_are_commands() -> None:
    lines = [shlex.split(line) for block in re.findall(r"```sh\n(.*?)```", PAGE, re.S) for line in block.splitlines()]
    parsers = {"heddle-environments": make_parser(), "heddle-harbor": make_harbor_parser()}
    commands = [line for line in lines if line[0] in parsers]
    assert {line[0] for line in commands} == parsers.keys()
    for program, *arguments in commands:
        read_pairs(parsers[program].parse_args(arguments).config)


def test_the_taskset_and_the_program_of_the_documentation_run(tmp_path: Path) -> None:
    taskset, program = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    (tmp_path / "vowels.py").write_text(taskset)
    own = program.replace('"speaker"', f'"{new_name()}"').replace("http://127.0.0.1:7400", os.environ["HEDDLE_BASE_URL"])
    settings = {**os.environ, "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{tmp_path}"}
    ran = subprocess.run([sys.executable, "-c", own], cwd=tmp_path, env=settings, capture_output=True, text=True, timeout=600)
    assert ran.returncode == 0, ran.stderr
    assert [line.split()[1:] for line in ran.stdout.splitlines()] == [["1", "0"], ["2", "0"]]
