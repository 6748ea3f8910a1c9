"""An agent of Google's ADK with its own telemetry."""

import asyncio

from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types
from scenes import BROKEN, COUNT, HARD, REFUSED, TRIP, get_weather
from tracing import end

agent = Agent(name="trip_planner", model="gemini-2.5-pro", instruction="You plan trips.", tools=[get_weather])


async def ask(runner, question, session_id, mode=StreamingMode.NONE):
    if await runner.session_service.get_session(app_name="trip", user_id="user-1", session_id=session_id) is None:
        await runner.session_service.create_session(app_name="trip", user_id="user-1", session_id=session_id)
    message = types.Content(role="user", parts=[types.Part(text=question)])
    run = runner.run_async(user_id="user-1", session_id=session_id, new_message=message, run_config=RunConfig(streaming_mode=mode))
    async for _ in run:
        pass


async def main():
    runner = InMemoryRunner(agent=agent, app_name="trip")
    await ask(runner, TRIP, "trip-7")
    await ask(runner, COUNT, "trip-7", StreamingMode.SSE)
    await ask(runner, HARD, "trip-8")
    for question, session_id in ((BROKEN, "trip-9"), (REFUSED, "trip-10")):
        try:
            await ask(runner, question, session_id)
        except Exception:
            pass


asyncio.run(main())
end()
