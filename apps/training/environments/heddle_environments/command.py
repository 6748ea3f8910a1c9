"""The command `heddle-environments`."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable
from typing import Any

from heddle_environments.model import HeddleError, Server
from heddle_environments.steps import Step, UnsupportedEnvironment
from heddle_environments.training import Settings, train

INTERRUPTED = 130


def main(arguments: list[str] | None = None) -> None:
    run(make_parser(), arguments, lambda given: train(settings_of(given), server_of(given)))


def settings_of(given: argparse.Namespace) -> Settings:
    named = {"taskset.id": given.taskset, "agent.runtime.type": given.runtime, "agent.harness.id": given.harness}
    environment = read_pairs([*given.set, *(f"{name}={json.dumps(text)}" for name, text in named.items() if text is not None)])
    return Settings(environment=environment, **shared_settings_of(given))


def run(parser: argparse.ArgumentParser, arguments: list[str] | None, begin: Callable[[argparse.Namespace], AsyncIterator[Step]]) -> None:
    """Prints a line for each step, and ends the program where one cannot be taken."""
    given = parser.parse_args(arguments)
    try:
        asyncio.run(report(begin(given), given.steps))
    except (HeddleError, UnsupportedEnvironment, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(1) from error
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="heddle-environments",
        description="Train a model of a Heddle server in an environment of the verifiers library. The API key is read from HEDDLE_API_KEY.",
    )
    parser.add_argument("--taskset", required=True, help="id of a taskset of verifiers that is installed, such as gsm8k-v1 or harbor")
    parser.add_argument(
        "--runtime", required=True, help="where the agent's program runs: docker, podman, prime and others; subprocess is this machine, unprotected"
    )
    parser.add_argument("--harness", help="program of the agent, such as null (chat alone), bash or codex (default: that of the taskset)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="setting of the environment, such as taskset.dataset=org/name; repeatable")
    add_shared_arguments(parser)
    return parser


def add_shared_arguments(parser: argparse.ArgumentParser) -> None:
    """Those of the model, the sizes of a step and the jobs."""
    parser.add_argument("model", help="name of the model")
    parser.add_argument("--base", help="base model from which the model is registered if it is new")
    parser.add_argument("--project", default="default", help="project of the model (default: %(default)s)")
    parser.add_argument("--steps", type=at_least_one, default=1, help="training jobs (default: %(default)s)")
    parser.add_argument("--tasks", type=at_least_one, default=8, help="tasks of a step (default: %(default)s)")
    parser.add_argument("--attempts", type=at_least_one, default=8, help="attempts at a task, whose rewards are compared (default: %(default)s)")
    parser.add_argument("--concurrency", type=at_least_one, default=8, help="attempts that run at a time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the order of the tasks (default: %(default)s)")
    parser.add_argument("--max-tokens", type=at_least_one, help="of each model call")
    parser.add_argument("--temperature", type=float, help="of each model call")
    parser.add_argument("--config", action="append", default=[], metavar="NAME=VALUE", help="setting of the jobs, such as learning_rate=0.001; repeatable")
    parser.add_argument(
        "--base-url",
        default=os.environ.get("HEDDLE_BASE_URL", "http://127.0.0.1:7400"),
        help="address of the server (default: HEDDLE_BASE_URL, or %(default)s)",
    )


def shared_settings_of(given: argparse.Namespace) -> dict[str, Any]:
    sampling = {"max_tokens": given.max_tokens, "temperature": given.temperature}
    return {
        "project": given.project,
        "model": given.model,
        "base_model": given.base,
        "steps": given.steps,
        "tasks": given.tasks,
        "attempts": given.attempts,
        "concurrency": given.concurrency,
        "seed": given.seed,
        "sampling": {name: value for name, value in sampling.items() if value is not None},
        "config": read_pairs(given.config),
    }


def server_of(given: argparse.Namespace) -> Server:
    return Server(given.base_url.rstrip("/"))


def at_least_one(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def read_pairs(pairs: list[str]) -> dict[str, Any]:
    """Nested settings from `a.b=value`, where a value is JSON or else text."""
    settings: dict[str, Any] = {}
    for pair in pairs:
        name, separator, text = pair.partition("=")
        if not separator or not name:
            raise ValueError(f"{pair!r} is not a setting: write NAME=VALUE")
        *path, last = name.split(".")
        block = settings
        for part in path:
            block = block.setdefault(part, {})
            if not isinstance(block, dict):
                raise ValueError(f"{pair!r} sets a part of {part!r}, which has a value already")
        block[last] = read_value(text)
    return settings


def read_value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


async def report(steps: AsyncIterator[Step], total: int) -> None:
    number = 0
    async for step in steps:
        number += 1
        print(f"step {number}/{total}: {describe(step)}", flush=True)


def describe(step: Step) -> str:
    """One line about a step."""
    parts = [f"reward {step.reward:.3f}" if step.reward is not None else "no rewards", f"{len(step.attempts)} attempts"]
    if step.failed:
        parts.append(f"{len(step.failed)} failed ({step.failed[0].error})")
    parts.append(f"nothing was trained: {step.note}" if step.note else f"checkpoint {step.checkpoint}")
    return ", ".join(parts)


if __name__ == "__main__":
    main()
