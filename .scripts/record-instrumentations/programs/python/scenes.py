"""The questions and the one tool that all programs have in common."""

import os

PROVIDER_URL = os.environ["PROVIDER_URL"]
TRIP = "What is the weather in Ulm?"
BROKEN = "What is the weather in Atlantis?"
COUNT = "Please count to three."
HARD = "What is six times seven?"
REFUSED = "REFUSE this"
DESCRIPTION = "The weather in a city"
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: Name of the city.
    """
    if city == "Atlantis":
        raise ValueError("no weather station in Atlantis")
    return "sunny, 17 degrees"


def expect_failure(work) -> None:
    """Runs what must fail, as a refused request does."""
    try:
        work()
    except Exception:
        return
    raise RuntimeError("the request should have been refused")
