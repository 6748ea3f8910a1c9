"""An agent of smolagents, traced by OpenInference."""

from openinference.instrumentation import using_session
from openinference.instrumentation.smolagents import SmolagentsInstrumentor
from scenes import BROKEN, HARD, PROVIDER_URL, REFUSED, TRIP, expect_failure
from scenes import get_weather as weather
from smolagents import OpenAIServerModel, ToolCallingAgent, tool
from tracing import end, provider

SmolagentsInstrumentor().instrument(tracer_provider=provider)


@tool
def get_weather(city: str) -> str:
    """The weather in a city.

    Args:
        city: Name of the city.
    """
    return weather(city)


model = OpenAIServerModel("gpt-5-mini", api_base=f"{PROVIDER_URL}/v1", api_key="none", client_kwargs={"max_retries": 0})


def ask(question):
    ToolCallingAgent(tools=[get_weather], model=model, name="trip_planner", max_steps=4, verbosity_level=0).run(question)


with using_session("trip-7"):
    ask(TRIP)
with using_session("trip-8"):
    ask(HARD)
    ask(BROKEN)
    expect_failure(lambda: ask(REFUSED))
end()
