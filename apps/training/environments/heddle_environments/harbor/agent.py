"""An agent of Harbor that chats with a model of a Heddle server, and may run commands in the environment of its task."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import httpx
from harbor.agents.base import BaseAgent
from harbor.agents.capabilities import AgentCapabilities
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.models.agent.context import AgentContext

from heddle_environments.model import request

BASH_TOOL = {
    "type": "function",
    "function": {
        "name": "bash",
        "description": "Runs a command in the environment of the task and returns its output.",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    },
}
MAX_SHOWN_CHARACTERS = 10_000
"""Of the output of a command, as the model sees it."""
COMMAND_SECONDS = 120
MAX_TURNS = 20


class ChatAgent(BaseAgent):
    """Sends the instruction, and runs each call of `bash` until an answer has none. The last answer is `answer.txt` of its logs."""

    capabilities = AgentCapabilities(atif=True)

    def __init__(
        self,
        logs_dir: Path,
        model_name: str | None = None,
        *,
        server: str,
        key_variable: str,
        headers: dict[str, str],
        sampling: dict[str, Any] | None = None,
        max_turns: int = MAX_TURNS,
        **others: Any,
    ) -> None:
        """`server`: its address without `/v1`. `headers`: of the trajectory. `sampling`: fields of each request, such as `max_tokens`."""
        super().__init__(logs_dir=logs_dir, model_name=model_name, **others)
        self._server = server
        self._headers = {**headers, "authorization": f"Bearer {os.environ[key_variable]}"}
        self._sampling = sampling or {}
        self._max_turns = max_turns

    @staticmethod
    def name() -> str:
        return "heddle-chat"

    def version(self) -> str:
        return "0.1.0"

    async def setup(self, environment: BaseEnvironment) -> None:
        """Nothing to install: the model is asked from here."""

    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        messages: list[dict[str, Any]] = [{"role": "user", "content": instruction}]
        context.n_input_tokens = context.n_output_tokens = 0
        async with httpx.AsyncClient(base_url=self._server, headers=self._headers) as http:
            for _ in range(self._max_turns):
                body = {"model": self.model_name, "messages": messages, "tools": [BASH_TOOL], **self._sampling}
                completion = await request(http, "POST", "/v1/chat/completions", json=body)
                context.n_input_tokens += completion["usage"]["prompt_tokens"]
                context.n_output_tokens += completion["usage"]["completion_tokens"]
                answer = completion["choices"][0]["message"]
                messages.append(answer)
                calls = answer.get("tool_calls") or []
                messages.extend([{"role": "tool", "tool_call_id": call["id"], "content": await run_call(call, environment)} for call in calls])
                self._write(messages)
                if not calls:
                    return

    def _write(self, messages: list[dict[str, Any]]) -> None:
        """The conversation so far, as ATIF."""
        answers = [message for message in messages if message["role"] == "assistant"]
        trajectory = {
            "schema_version": "ATIF-v1.7",
            "session_id": self.session_id or self._headers.get("x-heddle-trajectory-id"),
            "agent": {"name": self.name(), "version": self.version(), "model_name": self.model_name},
            "steps": steps_of(messages),
        }
        (self.logs_dir / "trajectory.json").write_text(json.dumps(trajectory, indent=2))
        (self.logs_dir / "answer.txt").write_text(str(answers[-1].get("content") or ""))


async def run_call(call: dict[str, Any], environment: BaseEnvironment) -> str:
    """What the model is told of a call: its output, or what is wrong with it."""
    try:
        command = json.loads(call["function"]["arguments"])["command"]
    except (ValueError, KeyError, TypeError):
        return "The arguments are not an object with a command."
    if call["function"]["name"] != "bash" or not isinstance(command, str):
        return "There is one tool, bash, with a command that is a text."
    try:
        return shown(await environment.exec(command, timeout_sec=COMMAND_SECONDS))
    except TimeoutError:
        return f"The command was ended after {COMMAND_SECONDS} seconds."


def shown(result: ExecResult) -> str:
    text = f"{result.stdout or ''}{result.stderr or ''}"
    half = MAX_SHOWN_CHARACTERS // 2
    cut = text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:half]}\n… {len(text) - 2 * half} characters were left out …\n{text[-half:]}"
    return cut if result.return_code == 0 else f"{cut}\nexit code {result.return_code}"


def steps_of(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Steps of ATIF: an answer has its calls and their results."""
    steps: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "tool":
            result = {"source_call_id": message["tool_call_id"], "content": message["content"]}
            steps[-1].setdefault("observation", {"results": []})["results"].append(result)
            continue
        step: dict[str, Any] = {"step_id": len(steps) + 1, "source": "agent" if message["role"] == "assistant" else "user"}
        calls = message.get("tool_calls") or []
        step["message"] = message.get("content") or ""
        if calls:
            step["tool_calls"] = [atif_call(call) for call in calls]
        steps.append(step)
    return steps


def atif_call(call: dict[str, Any]) -> dict[str, Any]:
    try:
        arguments = json.loads(call["function"]["arguments"])
    except ValueError:
        arguments = None
    given = arguments if isinstance(arguments, dict) else {"arguments": call["function"]["arguments"]}
    return {"tool_call_id": call["id"], "function_name": call["function"]["name"], "arguments": given}
