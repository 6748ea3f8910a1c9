"""pydantic-ai with its own instrumentation. FORMAT is the version of its conventions."""

import os

from pydantic_ai import Agent
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider
from scenes import BROKEN, COUNT, HARD, PROVIDER_URL, REFUSED, TRIP, expect_failure, get_weather
from tracing import end, provider, span

settings = InstrumentationSettings(tracer_provider=provider, version=int(os.environ["FORMAT"]))
Agent.instrument_all(settings)
openai = OpenAIProvider(base_url=f"{PROVIDER_URL}/v1", api_key="none")
planner = Agent(OpenAIChatModel("gpt-5-mini", provider=openai), name="trip_planner", instructions="You plan trips.", tools=[get_weather])
thinker = Agent(OpenAIResponsesModel("gpt-5-mini", provider=openai), name="thinker")


def count() -> None:
    import asyncio

    async def stream():
        async with planner.run_stream(COUNT) as result:
            async for _ in result.stream_text():
                pass

    asyncio.run(stream())


with span("plan trip", {"gen_ai.conversation.id": "trip-7"}):
    planner.run_sync(TRIP, conversation_id="trip-7") if int(os.environ["FORMAT"]) > 3 else planner.run_sync(TRIP)
    count()
thinker.run_sync(HARD)
expect_failure(lambda: planner.run_sync(BROKEN))
expect_failure(lambda: planner.run_sync(REFUSED))
end()
