"""LiteLLM with its own callback for OpenTelemetry, or traced by OpenInference: INSTRUMENTATION names which."""

import json
import os

import litellm
from scenes import BROKEN, COUNT, DESCRIPTION, HARD, PARAMETERS, PROVIDER_URL, REFUSED, TRIP, expect_failure, get_weather
from tracing import end, provider, span

if os.environ["INSTRUMENTATION"] == "openinference":
    from openinference.instrumentation.litellm import LiteLLMInstrumentor

    LiteLLMInstrumentor().instrument(tracer_provider=provider)
else:
    litellm.callbacks = ["otel"]
openai = {"model": "openai/gpt-5-mini", "api_base": f"{PROVIDER_URL}/v1", "api_key": "none", "num_retries": 0}
claude = {"model": "anthropic/claude-sonnet-4-5", "api_base": PROVIDER_URL, "api_key": "none", "num_retries": 0}
tools = [{"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": PARAMETERS}}]


def asked(content):
    return [{"role": "user", "content": content}]


def agent(question, session_id):
    messages = [{"role": "system", "content": "You plan trips."}, *asked(question)]
    answer = litellm.completion(**openai, messages=messages, tools=tools, metadata={"session_id": session_id}).choices[0].message
    call = answer.tool_calls[0]
    try:
        content = get_weather(**json.loads(call.function.arguments))
    except ValueError as error:
        content = str(error)
    messages += [answer.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.id, "content": content}]
    litellm.completion(**openai, messages=messages, tools=tools, metadata={"session_id": session_id})


with span("plan trip", {"session.id": "trip-7"}):
    agent(TRIP, "trip-7")
    for _ in litellm.completion(**openai, messages=asked(COUNT), stream=True, stream_options={"include_usage": True}):
        pass
with span("hard question", {"session.id": "trip-8"}):
    litellm.completion(**claude, messages=asked(HARD), max_tokens=4096)
with span("broken tool", {"session.id": "trip-8"}):
    agent(BROKEN, "trip-8")
expect_failure(lambda: litellm.completion(**openai, messages=asked(REFUSED)))
litellm.embedding(model="openai/text-embedding-3-small", input=["weather in cities"], api_base=f"{PROVIDER_URL}/v1", api_key="none")
import time  # noqa: E402

time.sleep(2)  # The callback runs on a thread that offers no way to wait for it.
end()
