"""An agent of LlamaIndex, traced by OpenInference or OpenLLMetry: INSTRUMENTATION names which."""

import asyncio
import os

from scenes import BROKEN, COUNT, HARD, PROVIDER_URL, REFUSED, TRIP, expect_failure, get_weather
from tracing import end, provider

if os.environ["INSTRUMENTATION"] == "openinference":
    from openinference.instrumentation import using_session
    from openinference.instrumentation.llama_index import LlamaIndexInstrumentor
else:
    from contextlib import nullcontext as using_session

    from opentelemetry.instrumentation.llamaindex import LlamaIndexInstrumentor
LlamaIndexInstrumentor().instrument(tracer_provider=provider)

from llama_index.core.agent.workflow import FunctionAgent  # noqa: E402
from llama_index.core.llms import ChatMessage  # noqa: E402
from llama_index.llms.openai import OpenAI  # noqa: E402

llm = OpenAI(model="gpt-5-mini", api_base=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0)


async def ask(question):
    agent = FunctionAgent(tools=[get_weather], llm=llm, system_prompt="You plan trips.", name="trip_planner", streaming=False)
    await agent.run(user_msg=question)


def count():
    for _ in llm.stream_chat([ChatMessage(role="user", content=COUNT)], stream_options={"include_usage": True}):
        pass


async def main():
    with using_session("trip-7"):
        await ask(TRIP)
        count()
    with using_session("trip-8"):
        llm.chat([ChatMessage(role="user", content=HARD)])
        await ask(BROKEN)
        expect_failure(lambda: llm.chat([ChatMessage(role="user", content=REFUSED)]))


asyncio.run(main())
end()
