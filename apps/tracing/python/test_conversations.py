"""Conversations of agents, which the client sends as spans of OpenTelemetry instead of calls."""

from __future__ import annotations

from typing import Any

import pytest
from call_tree import tree
from opentelemetry import trace

conversation = pytest.importorskip("weave.conversation", reason="this version of the client records no conversations")


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_turns_models_and_tools_of_a_conversation_become_calls(client: Any) -> None:
    with conversation.start_conversation(agent_name="Weather Agent", model="test-model", conversation_id="talk-1") as talk:
        with talk.start_turn(user_message="How is the weather in Oslo?") as turn:
            with turn.start_llm(model="test-model", provider_name="test-provider") as llm:
                llm.output("It is sunny in Oslo.")
                llm.record(usage=conversation.Usage(input_tokens=11, output_tokens=7, cache_read_input_tokens=3))
            with turn.start_tool(name="weather", arguments='{"city": "Oslo"}') as tool:
                tool.result = "sunny"
        with talk.start_turn(user_message="And in Bergen?") as turn, pytest.raises(TimeoutError), turn.start_tool(name="weather"):
            raise TimeoutError("no answer")
    assert trace.get_tracer_provider().force_flush(10_000)

    calls = list(client.get_calls())
    agent = "invoke_agent_weather_agent"
    assert tree(calls) == [(agent, [("chat_test-model", []), ("execute_tool_weather", [])]), (agent, [("execute_tool_weather", [])])]
    turns = [call for call in calls if call.parent_id is None]
    assert {call.thread_id for call in turns} == {"talk-1"}
    assert [call.turn_id for call in turns] == [call.id for call in turns]
    model = calls[1]
    assert model.output["gen_ai.output.messages"][0]["parts"][0]["content"] == "It is sunny in Oslo."
    assert model.summary["usage"]["test-model"] == {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18, "cache_read_input_tokens": 3}
    assert (calls[2].attributes["tool_name"], calls[2].inputs) == ("weather", {"gen_ai.tool.call.arguments": {"city": "Oslo"}})
    assert calls[2].output == {"gen_ai.tool.call.result": "sunny"}
    assert "no answer" in calls[4].exception
