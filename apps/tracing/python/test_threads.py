"""Conversations: calls that belong together over several traces."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import weave


@weave.op
def say(text: str) -> str:
    return text.upper()


@weave.op
def turn(text: str) -> str:
    return say(text)


def test_a_thread_marks_its_turns_and_what_they_call(client: Any) -> None:
    with weave.thread("talk-1") as talk:
        turn("hello")
        turn("again")
        assert talk.thread_id == "talk-1"
    turn("outside")
    client.flush()
    first, first_say, second, second_say, outside, outside_say = client.get_calls()
    assert [call.thread_id for call in (first, first_say, second, second_say)] == ["talk-1"] * 4
    assert [call.turn_id for call in (first, first_say, second, second_say)] == [first.id, first.id, second.id, second.id]
    assert [call.thread_id or call.turn_id for call in (outside, outside_say)] == [None, None]


def test_calls_are_found_by_thread_and_by_turn(client: Any) -> None:
    for name in ("talk-1", "talk-2"):
        with weave.thread(name):
            turn(name)
    client.flush()
    found = list(client.get_calls(filter={"thread_ids": ["talk-2"]}))
    assert [call.inputs["text"] for call in found] == ["talk-2", "talk-2"]
    assert len(client.get_calls(filter={"turn_ids": [found[0].id]})) == 2
    assert len(client.get_calls(filter={"thread_ids": ["talk-1", "talk-2"]})) == 4


def test_threads_of_concurrent_workers_stay_apart(client: Any) -> None:
    def converse(name: str) -> None:
        with weave.thread(name):
            turn(name)

    with ThreadPoolExecutor(4) as workers:
        list(workers.map(converse, [f"talk-{n}" for n in range(8)]))
    client.flush()
    calls = list(client.get_calls())
    assert len(calls) == 16
    assert all(call.thread_id == call.inputs["text"] for call in calls)
