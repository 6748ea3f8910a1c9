"""MLflow's tracing of the client of OpenAI, exported by OTLP."""

import json
import os

os.environ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] = os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] + "/v1/traces"
os.environ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"] = "http/protobuf"

import mlflow  # noqa: E402
from openai import OpenAI  # noqa: E402
from scenes import BROKEN, COUNT, DESCRIPTION, HARD, PARAMETERS, PROVIDER_URL, REFUSED, TRIP, expect_failure  # noqa: E402
from scenes import get_weather as weather  # noqa: E402

mlflow.openai.autolog()
client = OpenAI(base_url=f"{PROVIDER_URL}/v1", api_key="none", max_retries=0)
tools = [{"type": "function", "function": {"name": "get_weather", "description": DESCRIPTION, "parameters": PARAMETERS}}]
model = "gpt-5-mini"
get_weather = mlflow.trace(weather, name="get_weather", span_type="TOOL")


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


@mlflow.trace(name="plan trip", span_type="AGENT")
def plan_trip(question):
    mlflow.update_current_trace(metadata={"mlflow.trace.session": "trip-7", "mlflow.trace.user": "user-1"})
    answer = agent(question)
    stream = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": COUNT}], stream=True, stream_options={"include_usage": True}
    )
    for _ in stream:
        pass
    return answer


@mlflow.trace(name="hard question", span_type="CHAIN")
def hard_question(question):
    return client.responses.create(model=model, input=question).output_text


plan_trip(TRIP)
hard_question(HARD)
mlflow.trace(agent, name="broken tool", span_type="AGENT")(BROKEN)
expect_failure(lambda: client.chat.completions.create(model=model, messages=[{"role": "user", "content": REFUSED}]))
client.embeddings.create(model="text-embedding-3-small", input="weather in cities")
mlflow.flush_trace_async_logging()
