"""The SDK of Weave with its patched client of OpenAI; it sends calls by its own protocol."""

import json
import os

import weave
from openai import OpenAI
from scenes import BROKEN, COUNT, DESCRIPTION, HARD, PARAMETERS, PROVIDER_URL, REFUSED, TRIP, expect_failure
from scenes import get_weather as weather

weave.init(os.environ["WEAVE_PROJECT"])
client = OpenAI(base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0)
tools = [{"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": PARAMETERS}}]
model = "gpt-5-mini"


@weave.op(name="get_weather", kind="tool")
def get_weather(city: str) -> str:
    return weather(city)


def agent(question):
    messages = [{"role": "system", "content": "You plan trips."}, {"role": "user", "content": question}]
    answer = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
    call = answer.tool_calls[0]
    try:
        content = get_weather(**json.loads(call.function.arguments))
    except ValueError as error:
        content = str(error)
    messages += [answer.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.id, "content": content}]
    return client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message.content


@weave.op(name="plan trip", kind="agent")
def plan_trip(question: str) -> str:
    answer = agent(question)
    stream = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": COUNT}], stream=True, stream_options={"include_usage": True}
    )
    for _ in stream:
        pass
    return answer


@weave.op(name="hard question")
def hard_question(question: str) -> str:
    return client.responses.create(model=model, input=question).output_text


@weave.op(name="broken tool", kind="agent")
def broken_tool(question: str) -> str:
    return agent(question)


with weave.thread("trip-7"):
    plan_trip(TRIP)
with weave.thread("trip-8"):
    hard_question(HARD)
    broken_tool(BROKEN)
expect_failure(lambda: client.chat.completions.create(model=model, messages=[{"role": "user", "content": REFUSED}]))
client.embeddings.create(model="text-embedding-3-small", input="weather in cities")
weave.finish()
