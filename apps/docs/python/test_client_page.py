"""Runs the Python programs of the page whose client is installed in this environment, and looks for what they did on the server."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from conftest import REPOSITORY
from started_server import API_KEY, SERVER_URL

# The environment of `requirements/<page>.txt` has its name.
NAME = Path(sys.prefix).name.removeprefix("docs-")
PAGE = (REPOSITORY / "docs/clients" / f"{NAME}.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
PROGRAM_LIMIT_SECONDS = 180
# The scripted reply to the question of every page, and its tokens.
REPLY, INPUT_TOKENS, OUTPUT_TOKENS = "One, two, three.", 53, 11


def shell_lines() -> str:
    """The lines of the page between the installation and the program."""
    [block] = [block for block in re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL) if block.startswith("pip install")]
    return "\n".join(line for line in block.splitlines() if not line.startswith("pip install"))


def test_the_page_installs_what_is_tested() -> None:
    pinned = (Path(__file__).parent / "requirements" / f"{NAME}.txt").read_text().split()
    [line] = re.findall(r"^pip install (.*)$", PAGE, re.MULTILINE)
    assert sorted(line.split()) == sorted(package for package in pinned if not package.startswith("pytest"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_program_is_recorded_with_its_messages_and_tokens(program: str, provider_url: str, tmp_path: Path) -> None:
    project = f"clients/{NAME}-{uuid.uuid4().hex[:8]}"
    (tmp_path / "program.py").write_text(program.replace("me/first", project))
    command = f'node {REPOSITORY}/apps/heddle/dist/main.js'
    lines = shell_lines().replace("heddle print-env", f"{command} print-env").replace("me/first", project)
    server = urlsplit(SERVER_URL)
    environment = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "HEDDLE_HOST": server.hostname or "",
        "HEDDLE_PORT": str(server.port),
        "HEDDLE_API_KEY": API_KEY,
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": f"{provider_url}/v1",
        "OPENAI_API_BASE": f"{provider_url}/v1",
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": provider_url,
        "WANDB_ERROR_REPORTING": "false",
        "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    }
    ended = subprocess.run(
        ["bash", "-ec", f"{lines}\nexec python program.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PROGRAM_LIMIT_SECONDS,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert REPLY in ended.stdout
    calls = read_calls(project)
    counts = [usage for call in calls for usage in (call["summary"].get("usage") or {}).values()]
    assert any(tokens_of(usage) == (INPUT_TOKENS, OUTPUT_TOKENS) for usage in counts), calls
    assert any(REPLY in json.dumps(call["output"]) for call in calls)


def tokens_of(usage: dict) -> tuple[int | None, int | None]:
    return usage.get("input_tokens", usage.get("prompt_tokens")), usage.get("output_tokens", usage.get("completion_tokens"))


def read_calls(project: str) -> list[dict]:
    request = Request(
        f"{SERVER_URL}/calls/stream_query",
        json.dumps({"project_id": project}).encode(),
        {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"},
    )
    with urlopen(request, timeout=120) as response:
        return [json.loads(line) for line in response.read().splitlines()]
