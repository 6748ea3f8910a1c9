"""Python packages that agents are written with, against a trained model: texts, streams, tools, structured output and fine-tuning."""

from __future__ import annotations

import json
import time

import anthropic
import openai
import pytest
from conftest import Model
from heddle_client import Client
from heddle_process import LIMIT_SECONDS, Heddle
from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 3}, "age": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


@tool("Bash")
def shell(command: str) -> str:
    """Run a command."""
    return f"ran {command}"


@pytest.fixture
def openai_client(heddle: Heddle) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{heddle.url}/v1", api_key=heddle.key, max_retries=0)


@pytest.fixture
def anthropic_client(heddle: Heddle) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=heddle.url, api_key=heddle.key, max_retries=0)


@pytest.fixture(params=["openai", "openai-responses", "anthropic"])
def chat(request: pytest.FixtureRequest, heddle: Heddle, model: Model) -> BaseChatModel:
    if request.param == "anthropic":
        return ChatAnthropic(model_name=model.name, base_url=heddle.url, api_key=heddle.key, max_tokens=200, max_retries=0)
    options = {"use_responses_api": request.param == "openai-responses", "base_url": f"{heddle.url}/v1"}
    return ChatOpenAI(model=model.name, api_key=heddle.key, max_retries=0, **options)


def test_langchain_answers_streams_and_runs_a_tool(chat: BaseChatModel) -> None:
    assert chat.invoke("hi").text == "done"
    assert "".join(part.text for part in chat.stream("hi")) == "done"
    with_tools = chat.bind_tools([shell])
    called = with_tools.invoke("Make a file.")
    (call,) = called.tool_calls
    assert (call["name"], call["args"]) == ("Bash", {"command": "echo made > made.txt"})
    result = ToolMessage(shell.invoke(call["args"]), tool_call_id=call["id"])
    assert with_tools.invoke([("user", "Make a file."), called, result]).text == "done"


def test_openai_chats_and_responses_are_the_same_text(openai_client: openai.OpenAI, model: Model) -> None:
    chat = openai_client.chat.completions.create(model=model.name, messages=[{"role": "user", "content": "hi"}])
    response = openai_client.responses.create(model=model.name, input="hi")
    assert chat.choices[0].message.content == response.output_text == "done"
    with openai_client.responses.stream(model=model.name, input="hi") as stream:
        assert stream.get_final_response().output_text == "done"
    form = {"type": "json_schema", "json_schema": {"name": "person", "schema": PERSON, "strict": True}}
    made = openai_client.chat.completions.create(model=model.name, messages=[{"role": "user", "content": "hi"}], response_format=form)
    assert set(json.loads(made.choices[0].message.content)) == {"name", "age"}
    scored = openai_client.completions.create(model=model.name, prompt="hi there", echo=True, logprobs=1, max_tokens=0)
    assert scored.choices[0].text == "hi there"
    assert scored.choices[0].logprobs.token_logprobs[0] is None


def test_anthropic_messages_stream_and_count_tokens(anthropic_client: anthropic.Anthropic, model: Model) -> None:
    asked = {"model": model.name, "messages": [{"role": "user", "content": "hi"}]}
    tokens = anthropic_client.messages.count_tokens(**asked).input_tokens
    message = anthropic_client.messages.create(**asked, max_tokens=10)
    assert (message.content[0].text, message.usage.input_tokens) == ("done", tokens)
    with anthropic_client.messages.stream(**asked, max_tokens=10) as stream:
        assert "".join(stream.text_stream) == "done"
        assert stream.get_final_message().stop_reason == "end_turn"


def test_a_program_fine_tunes_with_a_validation_file(client: Client, openai_client: openai.OpenAI) -> None:
    def upload(answers: list[str]) -> str:
        lines = [{"messages": [{"role": "user", "content": "go"}, {"role": "assistant", "content": answer}]} for answer in answers]
        content = "\n".join(json.dumps(line) for line in lines).encode()
        return openai_client.files.create(file=("rows.jsonl", content), purpose="fine-tune").id

    rows = {"training_file": upload(["ab", "ab", "ab", "ab"]), "validation_file": upload(["ab"])}
    jobs = openai_client.fine_tuning.jobs
    job = jobs.create(model="heddle-nano", **rows, suffix="orders", seed=1, hyperparameters={"n_epochs": 2, "batch_size": 2})
    deadline = time.monotonic() + LIMIT_SECONDS
    while jobs.retrieve(job.id).status in ("queued", "running") and time.monotonic() < deadline:
        time.sleep(0.3)
    ended = jobs.retrieve(job.id)
    assert (ended.status, ended.validation_file) == ("succeeded", rows["validation_file"]), ended
    metrics = [event.data for event in reversed(jobs.list_events(job.id, limit=100).data) if event.type == "metrics"]
    losses = [each["full_valid_loss"] for each in metrics if "full_valid_loss" in each]
    assert len(metrics) == 4 and len(losses) == 2 and losses[1] < losses[0]
    (checkpoint,) = jobs.checkpoints.list(job.id).data
    assert checkpoint.metrics.full_valid_loss == losses[1]
    answer = openai_client.chat.completions.create(model=ended.fine_tuned_model, messages=[{"role": "user", "content": "go"}], max_tokens=1)
    assert answer.model == ended.fine_tuned_model
