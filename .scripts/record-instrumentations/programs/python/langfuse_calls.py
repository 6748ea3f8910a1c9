"""The SDK of Langfuse with its wrapped client of OpenAI; it exports by OTLP."""

import os

os.environ.update(LANGFUSE_PUBLIC_KEY="pk-lf-none", LANGFUSE_SECRET_KEY="sk-lf-none", LANGFUSE_BASE_URL=os.environ["PROVIDER_URL"])

import json  # noqa: E402

from langfuse import get_client, observe, propagate_attributes  # noqa: E402
from langfuse.openai import OpenAI  # noqa: E402
from scenes import BROKEN, COUNT, DESCRIPTION, HARD, PARAMETERS, PROVIDER_URL, REFUSED, TRIP, expect_failure  # noqa: E402
from scenes import get_weather as weather  # noqa: E402

client = OpenAI(base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0)
tools = [{"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": PARAMETERS}}]
model = "gpt-5-mini"
get_weather = observe(name="get_weather", as_type="tool")(weather)


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


@observe(name="plan trip", as_type="agent")
def plan_trip(question):
    answer = agent(question)
    stream = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": COUNT}], stream=True, stream_options={"include_usage": True}
    )
    for _ in stream:
        pass
    return answer


@observe(name="hard question")
def hard_question(question):
    return client.responses.create(model=model, input=question).output_text


broken_tool = observe(name="broken tool", as_type="agent")(agent)
with propagate_attributes(session_id="trip-7", user_id="user-1"):
    plan_trip(TRIP)
with propagate_attributes(session_id="trip-8"):
    hard_question(HARD)
    broken_tool(BROKEN)
expect_failure(lambda: client.chat.completions.create(model=model, messages=[{"role": "user", "content": REFUSED}]))
client.embeddings.create(model="text-embedding-3-small", input="weather in cities")
get_client().flush()
