"""The usual set-up of OpenTelemetry: spans (and log records) go to OTEL_EXPORTER_OTLP_ENDPOINT in batches."""

from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

resource = Resource.create({"service.name": "trip-planner"})
provider = TracerProvider(resource=resource)
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
trace.set_tracer_provider(provider)
tracer = trace.get_tracer("trip-planner")


@contextmanager
def span(name: str, attributes: dict):
    with tracer.start_as_current_span(name, attributes=attributes) as current:
        yield current


def end() -> None:
    provider.force_flush()
    provider.shutdown()
