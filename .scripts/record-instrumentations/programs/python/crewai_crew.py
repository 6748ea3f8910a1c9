"""A crew of CrewAI, traced by OpenInference or OpenLLMetry: INSTRUMENTATION names which."""

import os

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", CREWAI_TRACING_ENABLED="false", CREWAI_DISABLE_TRACKING="true")

from crewai import LLM, Agent, Crew, Task  # noqa: E402
from crewai.tools import tool  # noqa: E402
from scenes import BROKEN, HARD, PROVIDER_URL, REFUSED, TRIP, expect_failure  # noqa: E402
from scenes import get_weather as weather  # noqa: E402
from tracing import end, provider  # noqa: E402

if os.environ["INSTRUMENTATION"] == "openinference":
    from openinference.instrumentation import using_session
    from openinference.instrumentation.crewai import CrewAIInstrumentor
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=provider)
else:
    from contextlib import nullcontext as using_session

    from opentelemetry.instrumentation.crewai import CrewAIInstrumentor
CrewAIInstrumentor().instrument(tracer_provider=provider, skip_dep_check=True)


@tool("get_weather")
def get_weather(city: str) -> str:
    """The weather in a city."""
    return weather(city)


llm = LLM(model="openai/gpt-5-mini", base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0)


def ask(question):
    agent = Agent(role="trip planner", goal="Plan trips", backstory="You plan trips.", llm=llm, tools=[get_weather], max_retry_limit=0)
    task = Task(description=question, expected_output="One sentence", agent=agent)
    Crew(agents=[agent], tasks=[task], name="trip").kickoff()


with using_session("trip-7"):
    ask(TRIP)
with using_session("trip-8"):
    ask(HARD)
    ask(BROKEN)
    expect_failure(lambda: ask(REFUSED))
end()
