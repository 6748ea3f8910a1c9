"""OpenTelemetry's own instrumentation of the client of OpenAI, whose messages travel as log records."""

import json

from client_calls import call_openai
from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from tracing import end, provider, resource, span

logs = LoggerProvider(resource=resource)
logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
set_logger_provider(logs)
OpenAIInstrumentor().instrument(tracer_provider=provider, logger_provider=logs)


def around(name, session_id, work):
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name, "gen_ai.conversation.id": session_id}
    with span(f"invoke_agent {name}", attributes):
        work()


def around_tool(name, arguments, work):
    attributes = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.arguments": json.dumps(arguments)}
    with span(f"execute_tool {name}", attributes) as current:
        output = work(**arguments)
        current.set_attribute("gen_ai.tool.call.result", output)
        return output


call_openai(around, around_tool)
logs.force_flush()
end()
