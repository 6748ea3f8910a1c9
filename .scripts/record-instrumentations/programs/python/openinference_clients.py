"""OpenInference's instrumentations of the clients of OpenAI and Anthropic: CLIENT names which."""

import json
import os

from client_calls import call_anthropic, call_openai
from openinference.instrumentation import using_session
from tracing import end, provider, span


def around(name, session_id, work):
    with using_session(session_id), span(name, {"openinference.span.kind": "AGENT", "session.id": session_id}):
        work()


def around_tool(name, arguments, work):
    attributes = {
        "openinference.span.kind": "TOOL",
        "tool.name": name,
        "input.value": json.dumps(arguments),
        "input.mime_type": "application/json",
    }
    with span(name, attributes) as current:
        output = work(**arguments)
        current.set_attribute("output.value", output)
        return output


if os.environ["CLIENT"] == "openai":
    from openinference.instrumentation.openai import OpenAIInstrumentor

    OpenAIInstrumentor().instrument(tracer_provider=provider)
    call_openai(around, around_tool)
else:
    from openinference.instrumentation.anthropic import AnthropicInstrumentor

    AnthropicInstrumentor().instrument(tracer_provider=provider)
    call_anthropic(around, around_tool)
end()
