"""Spans of a chatflow as Dify's exporter for OpenTelemetry builds them.

Dify is no package that could be installed here. Names, attributes and the order of exports follow its source, `api/core/ops/unified_trace`
(`trace_builder.py`, `otlp_adapter.py`, `otel.py`); prompts, answers and counts are those of requests that this program makes as the node of the model does.
"""

import json
import time
from uuid import uuid4

import httpx
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import Status, StatusCode, set_span_in_context
from scenes import COUNT, HARD, PROVIDER_URL, REFUSED

SERVICE = "trip-planner"
MODEL = "gpt-5-mini"
PROVIDER = "langgenius/openai/openai"
KINDS = {"llm": "LLM"}
OPERATIONS = {"LLM": "chat"}

exporter = OTLPSpanExporter()
tracer = TracerProvider(resource=Resource({}).merge(Resource({SERVICE_NAME: SERVICE}))).get_tracer(f"unified_otel_{SERVICE}")


def as_json(value) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def attributes_of(span: dict, session: str) -> dict:
    kind, metadata = span["kind"], span["metadata"]
    found = {
        "openinference.span.kind": kind,
        "input.value": as_json(span["inputs"]),
        "input.mime_type": "application/json",
        "output.value": as_json(span["outputs"]),
        "output.mime_type": "application/json",
        "metadata": as_json({**metadata, "dify.span.kind": kind.lower()}),
        "session.id": session,
        "dify.span.id": span["id"],
        "dify.span.synthetic": False,
    }
    if kind in OPERATIONS:
        found["gen_ai.operation.name"] = OPERATIONS[kind]
    found["gen_ai.conversation.id"] = session
    for name, attribute in [
        ("model_provider", "gen_ai.provider.name"),
        ("model_name", "gen_ai.request.model"),
        ("prompt_tokens", "gen_ai.usage.input_tokens"),
        ("completion_tokens", "gen_ai.usage.output_tokens"),
        ("total_tokens", "gen_ai.usage.total_tokens"),
    ]:
        if metadata.get(name) not in (None, ""):
            found[attribute] = metadata[name]
    return found


def send(spans: list[dict], session: str) -> None:
    """Exports each span alone, parents first."""
    sent = {}
    for span in spans:
        parent = sent.get(span["parent"])
        context = set_span_in_context(parent) if parent else None
        started = tracer.start_span(span["name"], context=context, attributes=attributes_of(span, session), start_time=span["start"])
        sent[span["id"]] = started
        if span.get("error"):
            started.set_status(Status(StatusCode.ERROR, span["error"]))
            started.record_exception(RuntimeError(span["error"]))
        else:
            started.set_status(Status(StatusCode.OK))
        started.end(end_time=span["end"])
        exporter.export((started,))


def ask(question: str) -> dict:
    """What the node of the model records of its request."""
    prompts = [{"role": "system", "text": "You plan trips.", "files": []}, {"role": "user", "text": question, "files": []}]
    messages = [{"role": each["role"], "content": each["text"]} for each in prompts]
    answer = httpx.post(f"{PROVIDER_URL}/v1/chat/completions", json={"model": MODEL, "messages": messages}).json()
    if "error" in answer:
        return {"prompts": prompts, "outputs": {}, "usage": {}, "error": answer["error"]["message"]}
    [choice] = answer["choices"]
    usage = {name: answer["usage"][name] for name in ("prompt_tokens", "completion_tokens", "total_tokens")}
    outputs = {"text": choice["message"]["content"], "reasoning_content": "", "usage": usage, "finish_reason": choice["finish_reason"]}
    return {"prompts": prompts, "outputs": outputs, "usage": usage, "error": None}


def run_chatflow(number: int, question: str, session: str) -> None:
    run, message = f"00000000-0000-4000-8000-{number:012}", str(uuid4())
    start = time.time_ns()
    asked = ask(question)
    end = time.time_ns()
    inputs = {"sys.query": question, "sys.conversation_id": session, "sys.workflow_run_id": run}
    answered = {"answer": asked["outputs"].get("text")} if not asked["error"] else {}
    common = {"workflow_run_id": run, "total_tokens": asked["usage"].get("total_tokens", 0)}
    whole = {"start": start, "end": end, "error": asked["error"], "kind": "CHAIN"}

    def node(kind: str, title: str, **more) -> dict:
        node_id = str(uuid4())
        counts = {name: asked["usage"].get(name, 0) if kind == "llm" else 0 for name in ("prompt_tokens", "completion_tokens", "total_tokens")}
        model = {"model_provider": PROVIDER, "model_name": MODEL} if kind == "llm" else {"model_provider": None, "model_name": None}
        metadata = {"node_id": title.lower(), "node_execution_id": node_id, "node_type": kind, **model, **counts}
        found = {"id": node_id, "parent": run, "name": f"{kind}_{title}", "kind": KINDS.get(kind, "CHAIN"), "metadata": metadata}
        return {**found, "start": start, "end": end, "inputs": {}, "outputs": {}, **more}

    spans = [
        {"id": message, "parent": None, "name": f"chatflow_{run}", "inputs": question, "outputs": answered, "metadata": common, **whole},
        {"id": run, "parent": message, "name": f"workflow_{run}", "inputs": inputs, "outputs": answered, "metadata": common, **whole},
        node("start", "User Input", end=start, inputs=inputs, outputs=inputs),
        node("llm", "Planner", inputs=asked["prompts"], outputs=asked["outputs"], error=asked["error"]),
    ]
    if not asked["error"]:
        spans.append(node("answer", "Answer", start=end, outputs={"answer": asked["outputs"]["text"], "files": []}))
    send(spans, session)


run_chatflow(1, COUNT, "trip-7")
run_chatflow(2, HARD, "trip-7")
run_chatflow(3, REFUSED, "trip-8")
exporter.shutdown()
