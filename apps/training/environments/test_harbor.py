"""A model is trained on real task folders of Harbor: its runner, environment, agent and verifier run, and the reward arrives."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import httpx
import pytest
from harbor.models.task.task import Task
from harbor.models.trial.config import AgentConfig, EnvironmentConfig, TaskConfig, TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.trial.trial import Trial
from heddle_environments.harbor.command import main
from heddle_environments.harbor.trials import CHAT_AGENT, SANDBOX, HarborSettings, agent_of
from heddle_environments.model import Server
from scripted_model import scripted_model
from test_environments import model_id, new_name, recorded_groups

TASKS = Path(__file__).parent / "testing" / "tasks"
# With CI=true they run, and fail by the message of the sandbox.
needs_sandbox = pytest.mark.skipif(
    shutil.which("bwrap") is None and os.environ.get("CI") != "true", reason="the sandbox needs bwrap: install bubblewrap"
)
SHORT = ["--environment", "sandbox", "--max-tokens", "8", "--temperature", "2"]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert ended.value.code == 1
    return capsys.readouterr().err


def own_task(folder: Path) -> Path:
    """A copy of a task, to be changed."""
    return Path(shutil.copytree(TASKS / "say-one", folder / "own"))


def run_trial(task: Path, agent: AgentConfig, folder: Path) -> TrialResult:
    config = TrialConfig(task=TaskConfig(path=task), trials_dir=folder / "trials", agent=agent, environment=EnvironmentConfig(import_path=SANDBOX))

    async def ran() -> TrialResult:
        return await (await Trial.create(config)).run()

    return asyncio.run(ran())


def oracle(task: Path, folder: Path) -> TrialResult:
    return run_trial(task, AgentConfig(name="oracle"), folder)


@needs_sandbox
def test_steps_train_on_the_tokens_of_attempts_with_the_rewards_of_the_verifier(http: httpx.Client, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = new_name()
    trials = tmp_path / "trials"
    main([name, "--base", "heddle-nano", "--task", str(TASKS), "--trials-dir", str(trials), "--steps", "1", "--tasks", "2", "--attempts", "6", *SHORT])
    (step,) = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"step 1/1: reward \d\.\d{3}, 12 attempts, checkpoint 1", step)
    groups = recorded_groups(http, name)
    assert [len(group["trajectories"]) for group in groups] == [6, 6]
    for trajectory in (one for group in groups for one in group["trajectories"]):
        question, choice = trajectory["messages_and_choices"][:2]
        assert re.fullmatch(r"Say word (one|two)\.\n?", question["content"])
        text = choice["message"]["content"] or ""
        assert trajectory["reward"] == pytest.approx(sum(letter in "aeiou" for letter in text) / max(1, len(text)), abs=1e-6)
        assert trajectory["metrics"]["reward/characters"] == len(text)
        assert len(choice["token_ids"]) == len(choice["logprobs"]["content"]) > 0
        kept = trials / trajectory["metadata"]["trial"]
        assert json.loads((kept / "agent" / "trajectory.json").read_text())["schema_version"] == "ATIF-v1.7"
        assert all(secret not in path.read_text(errors="replace") for path in kept.rglob("*.json") for secret in [http.headers["authorization"][7:]])
    (job,) = http.get("/v1/preview/training-jobs", params={"model_id": model_id(http, name)}).json()["data"]
    assert job["status"] == "succeeded"


@needs_sandbox
def test_attempts_without_a_reward_are_counted_with_their_reason(http: httpx.Client, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    name = new_name()
    task = own_task(tmp_path)
    (task / "tests" / "test.sh").write_text("#!/bin/bash\nexit 3\n")
    main([name, "--base", "heddle-nano", "--task", str(task), "--trials-dir", str(tmp_path / "trials"), "--tasks", "1", "--attempts", "2", *SHORT])
    (step,) = capsys.readouterr().out.splitlines()
    assert "no rewards, 2 attempts, 2 failed (RewardFileNotFoundError: " in step and "nothing was trained: no trajectories" in step
    assert [len(group["exceptions"]) for group in recorded_groups(http, name)] == [2]


@needs_sandbox
def test_the_solution_of_a_task_is_right_in_the_sandbox(tmp_path: Path) -> None:
    result = oracle(TASKS / "say-two", tmp_path)
    assert result.exception_info is None
    assert result.verifier_result is not None and result.verifier_result.rewards == {"reward": 1, "characters": 5}


@needs_sandbox
def test_what_runs_in_the_sandbox_changes_nothing_of_this_machine_and_reaches_no_network(tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("as it was")
    task = own_task(tmp_path)
    probes = [f"cat {outside}", f"echo changed > {outside}", "touch /usr/heddle-probe", "getent hosts example.com", "grep -q HEDDLE_API_KEY /proc/*/environ", "ls vowels.txt"]
    lines = "".join(f"{{ {probe}; }} > /dev/null 2>&1 && echo {number} >> answer.txt\n" for number, probe in enumerate(probes))
    (task / "solution" / "solve.sh").write_text(f"#!/bin/bash\ntouch answer.txt\nln -s {outside.parent} /logs/artifacts/link\n{lines}ls /proc | grep -c '^[0-9]' > /logs/artifacts/processes.txt\n")
    (task / "tests" / "test.sh").write_text("#!/bin/bash\ncp answer.txt /logs/verifier/\necho 1 > /logs/verifier/reward.txt\n")
    result = oracle(task, tmp_path)
    assert result.exception_info is None
    trial = tmp_path / "trials" / result.trial_name
    assert (trial / "verifier" / "answer.txt").read_text().split() == ["5"]
    assert outside.read_text() == "as it was" and not Path("/usr/heddle-probe").exists()
    assert not any(path.is_symlink() for path in trial.rglob("*"))


@needs_sandbox
def test_the_agent_runs_the_commands_of_the_model_in_the_environment_until_an_answer_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", "k")

    def call(arguments: str, name: str = "bash") -> dict[str, Any]:
        return {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}]}

    answers = [call('{"command": "cat vowels.txt; exit 2"}'), call("no JSON"), call('{"command": 1}'), {"content": "aeiou"}]
    with scripted_model(answers) as (address, asked):
        kwargs = {"server": address, "key_variable": "OWN_KEY", "headers": {"x-heddle-trajectory-id": "t"}, "sampling": {"max_tokens": 9}}
        agent = AgentConfig(import_path=CHAT_AGENT, model_name="local/default/m", skip_model_parsing=True, kwargs=kwargs)
        result = run_trial(TASKS / "say-one", agent, tmp_path)
    assert result.exception_info is None
    assert result.verifier_result is not None and result.verifier_result.rewards["reward"] == 1
    assert [(one["trajectory"], one["key"], one["body"]["max_tokens"]) for one in asked] == [("t", "Bearer k", 9)] * 4
    told = [message["content"] for message in asked[-1]["body"]["messages"] if message["role"] == "tool"]
    assert told[0] == "aeiou\n\nexit code 2"
    assert told[1:] == ["The arguments are not an object with a command.", "There is one tool, bash, with a command that is a text."]
    assert result.agent_result is not None and (result.agent_result.n_input_tokens, result.agent_result.n_output_tokens) == (20, 8)


@needs_sandbox
def test_terminus_2_types_into_the_sandbox_and_names_its_trajectory_in_every_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWN_KEY", "k")
    task = own_task(tmp_path)
    # A busy machine may run what was typed after the agent has ended.
    tests = task / "tests" / "test.sh"
    tests.write_text(tests.read_text().replace("#!/bin/bash\n", "#!/bin/bash\nuntil [ -s answer.txt ]; do sleep 0.2; done\n"))

    def answer(*typed: str) -> dict[str, Any]:
        said = {"analysis": "a", "plan": "p", "commands": [{"keystrokes": keys, "duration": 0.1} for keys in typed], "task_complete": not typed}
        return {"content": json.dumps(said)}

    with scripted_model([answer("tr -d '\\n' < vowels.txt > answer.txt\n"), answer()]) as (address, asked):
        settings = HarborSettings(project="default", model="m", tasks_at=[], agent="terminus-2", agent_settings={"max_turns": 4}, sampling={"max_tokens": 9})
        agent = agent_of(settings, Server(address, "OWN_KEY"), "local/default/m", {"x-heddle-trajectory-id": "t"})
        result = run_trial(task, agent, tmp_path)
    assert result.exception_info is None
    assert result.verifier_result is not None and result.verifier_result.rewards == {"reward": 1, "characters": 5}
    said = [(one["trajectory"], one["key"], one["body"]["max_tokens"], one["body"]["model"]) for one in asked]
    # To be done is confirmed once more.
    assert said == [("t", "Bearer k", 9, "local/default/m")] * 3


def test_what_cannot_be_trained_on_is_refused_before_an_attempt(
    http: httpx.Client, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = [new_name(), "--base", "heddle-nano", "--trials-dir", str(tmp_path / "trials")]
    task = ["--task", str(TASKS)]
    assert "no task in" in refused(capsys, *known, *SHORT, "--task", str(tmp_path))
    assert "'moon' is no environment: sandbox, " in refused(capsys, *known, *task, "--environment", "moon")
    assert "the agent 'codex' is not known to send the headers" in refused(capsys, *known, *task, *SHORT, "--agent", "codex")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "install tmux" in refused(capsys, *known, *task, *SHORT, "--agent", "terminus-2")
    monkeypatch.undo()
    broken = own_task(tmp_path)
    (broken / "task.toml").write_text("[environment]\ncpus = 'many'\n")
    assert str(broken) in refused(capsys, *known, *SHORT, "--task", str(broken))
    (broken / "task.toml").write_text((TASKS / "say-one" / "task.toml").read_text())
    (broken / "environment" / "Dockerfile").write_text("FROM debian:12\n")
    assert "builds an image" in refused(capsys, *known, *SHORT, "--task", str(broken))
    assert recorded_groups(http, known[0]) == []


@needs_sandbox
def test_of_several_rewards_one_must_be_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, http: httpx.Client) -> None:
    task = own_task(tmp_path)
    (task / "tests" / "test.sh").write_text("#!/bin/bash\necho '{\"a\": 1, \"b\": 0.5}' > /logs/verifier/reward.json\n")
    known = ["--base", "heddle-nano", "--trials-dir", str(tmp_path / "trials"), "--task", str(task), "--tasks", "1", "--attempts", "1", *SHORT]
    assert "gives a, b and no 'reward': choose one by --reward" in refused(capsys, new_name(), *known)
    name = new_name()
    main([name, *known, "--reward", "b"])
    assert [trajectory["reward"] for group in recorded_groups(http, name) for trajectory in group["trajectories"]] == [0.5]


def test_the_tasks_of_the_tests_are_tasks_of_harbor() -> None:
    assert [Task(folder).name for folder in sorted(TASKS.iterdir())] == ["heddle/say-one", "heddle/say-two"]
