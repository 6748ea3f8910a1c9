"""The Agents SDK of OpenAI, traced by OpenInference or OpenLLMetry: INSTRUMENTATION names which."""

import asyncio
import os

from agents import Agent, Runner, RunConfig, function_tool, set_default_openai_client
from openai import AsyncOpenAI
from scenes import BROKEN, COUNT, HARD, PROVIDER_URL, REFUSED, TRIP
from scenes import get_weather as weather
from tracing import end, provider

if os.environ["INSTRUMENTATION"] == "openinference":
    from openinference.instrumentation import using_session
    from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor
else:
    from contextlib import nullcontext as using_session

    from opentelemetry.instrumentation.openai_agents import OpenAIAgentsInstrumentor
OpenAIAgentsInstrumentor().instrument(tracer_provider=provider)
set_default_openai_client(AsyncOpenAI(base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0), use_for_tracing=False)


@function_tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return weather(city)


planner = Agent(name="trip planner", instructions="You plan trips.", model="gpt-5-mini", tools=[get_weather])


def config(session_id):
    return RunConfig(workflow_name="plan trip", group_id=session_id)


async def main():
    with using_session("trip-7"):
        await Runner.run(planner, TRIP, run_config=config("trip-7"))
        stream = Runner.run_streamed(planner, COUNT, run_config=config("trip-7"))
        async for _ in stream.stream_events():
            pass
    with using_session("trip-8"):
        await Runner.run(planner, HARD, run_config=config("trip-8"))
        await Runner.run(planner, BROKEN, run_config=config("trip-8"))
        try:
            await Runner.run(planner, REFUSED, run_config=config("trip-8"))
        except Exception:
            return
    raise RuntimeError("the request should have been refused")


asyncio.run(main())
end()
