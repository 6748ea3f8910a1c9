"""Trains models of a Heddle server on tasks of Harbor: folders with an instruction, an environment and tests."""

from heddle_environments.harbor.trials import HarborSettings, train_on_tasks

__all__ = ["HarborSettings", "train_on_tasks"]
