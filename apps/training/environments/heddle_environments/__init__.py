"""Trains models of a Heddle server in environments of the verifiers library."""

from heddle_environments.model import HeddleError, HeddleModel, Server
from heddle_environments.rollouts import Rollouts
from heddle_environments.steps import Attempt, Step, UnsupportedEnvironment
from heddle_environments.training import Settings, train

__all__ = ["Attempt", "HeddleError", "HeddleModel", "Rollouts", "Server", "Settings", "Step", "UnsupportedEnvironment", "train"]
