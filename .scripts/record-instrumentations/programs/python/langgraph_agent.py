"""An agent of LangChain, which runs on LangGraph. INSTRUMENTATION names who traces it."""

import os

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from scenes import BROKEN, COUNT, HARD, PROVIDER_URL, REFUSED, TRIP, expect_failure
from scenes import get_weather as weather
from tracing import end, provider

if os.environ["INSTRUMENTATION"] == "openinference":
    from openinference.instrumentation.langchain import LangChainInstrumentor
else:
    from opentelemetry.instrumentation.langchain import LangchainInstrumentor as LangChainInstrumentor
LangChainInstrumentor().instrument(tracer_provider=provider)


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return weather(city)


model = ChatOpenAI(model="gpt-5-mini", base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0, stream_usage=True)
agent = create_agent(model, tools=[get_weather], system_prompt="You plan trips.", name="trip_planner")


def run(question, session_id):
    config = {"configurable": {"thread_id": session_id}, "metadata": {"session_id": session_id}}
    agent.invoke({"messages": [("user", question)]}, config=config)


run(TRIP, "trip-7")
for _ in model.stream(COUNT, config={"metadata": {"session_id": "trip-7"}}):
    pass
model.invoke(HARD, config={"metadata": {"session_id": "trip-8"}})
expect_failure(lambda: run(BROKEN, "trip-8"))
expect_failure(lambda: model.invoke(REFUSED))
end()
