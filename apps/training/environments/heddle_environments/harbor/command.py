"""The command `heddle-harbor`."""

from __future__ import annotations

import argparse
from pathlib import Path

from heddle_environments.command import add_shared_arguments, read_pairs, run, server_of, shared_settings_of
from heddle_environments.harbor.trials import AGENTS, HarborSettings, train_on_tasks


def main(arguments: list[str] | None = None) -> None:
    run(make_parser(), arguments, lambda given: train_on_tasks(settings_of(given), server_of(given)))


def settings_of(given: argparse.Namespace) -> HarborSettings:
    return HarborSettings(
        tasks_at=given.task,
        environment=given.environment,
        agent=given.agent,
        agent_settings=read_pairs(given.agent_set),
        reward=given.reward,
        trials_dir=given.trials_dir,
        **shared_settings_of(given),
    )


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="heddle-harbor", description="Train a model of a Heddle server on tasks of Harbor. The API key is read from HEDDLE_API_KEY."
    )
    parser.add_argument("--task", type=Path, action="append", required=True, metavar="FOLDER", help="folder of a task, or of tasks; repeatable")
    parser.add_argument(
        "--environment",
        required=True,
        help="where tasks run: docker, podman, daytona, modal and others of Harbor; sandbox is this machine, without images; or module:Class",
    )
    parser.add_argument("--agent", default="chat", help=f"{' or '.join(AGENTS)} (default: %(default)s)")
    parser.add_argument("--agent-set", action="append", default=[], metavar="NAME=VALUE", help="argument of the agent, such as max_turns=10; repeatable")
    parser.add_argument("--reward", default="reward", help="which reward is learned from, where a verifier gives several (default: %(default)s)")
    parser.add_argument("--trials-dir", type=Path, default=Path("harbor-trials"), help="folder for what Harbor keeps of each attempt (default: %(default)s)")
    add_shared_arguments(parser)
    return parser


if __name__ == "__main__":
    main()
