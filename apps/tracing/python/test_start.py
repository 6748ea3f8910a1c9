"""A program that knows nothing but the address and the key."""

from __future__ import annotations

import json
import subprocess
import sys

PROGRAM = """
import json, sys
import weave

client = weave.init(sys.argv[1])

@weave.op
def double(n: int) -> int:
    return 2 * n

double(21)
client.flush()
weave.finish()
print(json.dumps({"project": f"{client.entity}/{client.project}", "outputs": [call.output for call in client.get_calls()]}))
"""


def run(*arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)


def last_line(result: subprocess.CompletedProcess[str]) -> dict:
    assert result.returncode == 0, result.stdout + result.stderr
    return json.loads(result.stdout.splitlines()[-1])


def test_the_address_and_the_key_are_enough(environment: dict[str, str], project: str) -> None:
    assert last_line(run(project, environment=environment)) == {"project": project, "outputs": [42]}


def test_a_project_without_entity_goes_to_the_entity_of_the_key(environment: dict[str, str], project: str) -> None:
    name = project.split("/")[1]
    entity, _, found = last_line(run(name, environment=environment))["project"].partition("/")
    assert entity
    assert found == name


def test_a_wrong_key_ends_the_start_with_a_reason(environment: dict[str, str], project: str) -> None:
    result = run(project, environment={**environment, "WANDB_API_KEY": "0" * 40})
    assert result.returncode != 0
    assert "401" in result.stderr
