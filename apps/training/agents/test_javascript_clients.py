"""JavaScript packages that agents are written with, against a trained model: texts, streams, tools and structured output."""

from __future__ import annotations

import subprocess
from pathlib import Path

from conftest import Model
from heddle_process import LIMIT_SECONDS, Heddle


def test_the_ai_sdk_and_langchain_answer_stream_run_tools_and_read_objects(heddle: Heddle, model: Model, libraries: Path) -> None:
    command = ["node", "--test-reporter=tap", "clients.mjs", heddle.url, heddle.key, model.name]
    done = subprocess.run(command, cwd=libraries, capture_output=True, timeout=LIMIT_SECONDS, check=False, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "# pass 21\n" in done.stdout, done.stdout
