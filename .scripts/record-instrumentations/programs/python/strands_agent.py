"""An agent of Strands with its own telemetry. PROVIDER names the provider of the model."""

import os

from scenes import BROKEN, COUNT, HARD, PROVIDER_URL, REFUSED, TRIP, expect_failure
from scenes import get_weather as weather
from strands import Agent, tool
from strands.telemetry import StrandsTelemetry
from tracing import end, provider

StrandsTelemetry(tracer_provider=provider)


@tool
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: Name of the city.
    """
    return weather(city)


if os.environ["PROVIDER"] == "openai":
    from strands.models.openai import OpenAIModel

    model = OpenAIModel(client_args={"base_url": f"{PROVIDER_URL}/v1", "api_key": "none", "max_retries": 0}, model_id="gpt-5-mini")
else:
    from strands.models.anthropic import AnthropicModel

    arguments = {"base_url": PROVIDER_URL, "api_key": "none", "max_retries": 0}
    model = AnthropicModel(client_args=arguments, model_id="claude-sonnet-4-5", max_tokens=4096)


def ask(question, session_id):
    Agent(
        model=model,
        tools=[get_weather],
        name="trip_planner",
        system_prompt="You plan trips.",
        callback_handler=None,
        trace_attributes={"session.id": session_id},
    )(question)


ask(TRIP, "trip-7")
ask(COUNT, "trip-7")
ask(HARD, "trip-8")
ask(BROKEN, "trip-8")
expect_failure(lambda: ask(REFUSED, "trip-8"))
end()
