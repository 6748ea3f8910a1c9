"""OpenLLMetry for the clients of OpenAI and Anthropic: CLIENT names which."""

import os

from client_calls import call_anthropic, call_openai
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import tool, workflow
from traceloop.sdk.instruments import Instruments

is_openai = os.environ["CLIENT"] == "openai"
Traceloop.init(
    app_name="trip-planner",
    api_endpoint=os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"],
    api_key="none",
    disable_batch=False,
    telemetry_enabled=False,
    instruments={Instruments.OPENAI if is_openai else Instruments.ANTHROPIC},
)


def around(name, session_id, work):
    Traceloop.set_association_properties({"session_id": session_id})
    workflow(name=name)(lambda: work() and None)()


def around_tool(name, arguments, work):
    return tool(name=name)(work)(**arguments)


(call_openai if is_openai else call_anthropic)(around, around_tool)
from opentelemetry import trace  # noqa: E402

trace.get_tracer_provider().force_flush()
