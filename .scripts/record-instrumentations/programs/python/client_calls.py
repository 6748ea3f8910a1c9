"""The scenes by the clients of OpenAI and Anthropic. `around` starts a trace, `around_tool` a tool."""

import json

from scenes import BROKEN, COUNT, DESCRIPTION, HARD, PARAMETERS, PROVIDER_URL, REFUSED, TRIP, expect_failure, get_weather


def call_openai(around, around_tool) -> None:
    from openai import OpenAI

    client = OpenAI(base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0)
    model = "gpt-5-mini"
    tools = [{"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": PARAMETERS}}]

    def agent(question):
        messages = [{"role": "system", "content": "You plan trips."}, {"role": "user", "content": question}]
        answer = client.chat.completions.create(model=model, messages=messages, tools=tools).choices[0].message
        call = answer.tool_calls[0]
        try:
            content = around_tool("get_weather", json.loads(call.function.arguments), get_weather)
        except ValueError as error:
            content = str(error)
        messages += [answer.model_dump(exclude_none=True), {"role": "tool", "tool_call_id": call.id, "content": content}]
        client.chat.completions.create(model=model, messages=messages, tools=tools)

    def count():
        stream = client.chat.completions.create(
            model=model, messages=[{"role": "user", "content": COUNT}], stream=True, stream_options={"include_usage": True}
        )
        for _ in stream:
            pass

    around("plan trip", "trip-7", lambda: (agent(TRIP), count()))
    around("hard question", "trip-8", lambda: client.responses.create(model=model, input=HARD))
    around("broken tool", "trip-8", lambda: agent(BROKEN))
    expect_failure(lambda: client.chat.completions.create(model=model, messages=[{"role": "user", "content": REFUSED}]))
    client.embeddings.create(model="text-embedding-3-small", input="weather in cities")


def call_anthropic(around, around_tool) -> None:
    from anthropic import Anthropic

    client = Anthropic(base_url=PROVIDER_URL, api_key="none", max_retries=0)
    common = {"model": "claude-sonnet-4-5", "max_tokens": 4096}
    tools = [{"name": "get_weather", "description": DESCRIPTION, "input_schema": PARAMETERS}]

    def asked(content):
        return [{"role": "user", "content": content}]

    def agent(question):
        messages = asked(question)
        content = client.messages.create(**common, system="You plan trips.", messages=messages, tools=tools).content
        use = next(part for part in content if part.type == "tool_use")
        try:
            result = {"content": around_tool("get_weather", use.input, get_weather)}
        except ValueError as error:
            result = {"content": str(error), "is_error": True}
        messages += [
            {"role": "assistant", "content": [part.model_dump(exclude_none=True) for part in content]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": use.id, **result}]},
        ]
        client.messages.create(**common, system="You plan trips.", messages=messages, tools=tools)

    def count():
        for _ in client.messages.create(**common, messages=asked(COUNT), stream=True):
            pass

    thinking = {"type": "enabled", "budget_tokens": 1024}
    around("plan trip", "trip-7", lambda: (agent(TRIP), count()))
    around("hard question", "trip-8", lambda: client.messages.create(**common, messages=asked(HARD), thinking=thinking))
    around("broken tool", "trip-8", lambda: agent(BROKEN))
    expect_failure(lambda: client.messages.create(**common, messages=asked(REFUSED)))
