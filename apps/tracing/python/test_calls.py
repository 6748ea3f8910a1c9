"""What ops record, and how recorded calls are found again."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import weave
from call_tree import tree


@weave.op
def embed(text: str) -> list[float]:
    return [float(len(text)), 0.5]


@weave.op
def answer(question: str, *, limit: int = 2) -> dict:
    return {"vectors": [embed(question), embed(question + " 世界")], "limit": limit}


def test_nested_ops_become_a_tree_with_inputs_and_outputs(client: Any) -> None:
    answer("Why?")
    client.flush()
    calls = list(client.get_calls())
    assert tree(calls) == [("answer", [("embed", []), ("embed", [])])]
    root, first, second = calls
    assert root.inputs == {"question": "Why?", "limit": 2}
    assert root.output == {"vectors": [[4.0, 0.5], [7.0, 0.5]], "limit": 2}
    assert [first.inputs["text"], second.inputs["text"]] == ["Why?", "Why? 世界"]
    assert {call.trace_id for call in calls} == {root.trace_id}
    assert root.summary["weave"]["status"] == "success"
    assert root.started_at <= first.started_at
    assert root.ended_at is not None


def test_concurrent_async_ops_keep_their_parents(client: Any) -> None:
    @weave.op
    async def fetch(n: int) -> int:
        await asyncio.sleep(0)
        return n * n

    @weave.op
    async def gather(count: int) -> list[int]:
        return list(await asyncio.gather(*(fetch(n) for n in range(count))))

    async def both() -> None:
        await asyncio.gather(gather(3), gather(2))

    asyncio.run(both())
    client.flush()
    calls = list(client.get_calls())
    roots = {call.id: call for call in calls if call.parent_id is None}
    assert sorted(call.output for call in roots.values()) == [[0, 1], [0, 1, 4]]
    for call in calls:
        if call.parent_id is not None:
            assert call.output in roots[call.parent_id].output
            assert call.trace_id == roots[call.parent_id].trace_id
    assert len(calls) == 7


def test_a_generator_op_records_all_it_yielded(client: Any) -> None:
    @weave.op(accumulator=lambda acc, word: (acc or "") + word)
    def words():
        yield "one "
        yield "two"

    assert list(words()) == ["one ", "two"]
    client.flush()
    assert [call.output for call in client.get_calls()] == ["one two"]


def test_an_exception_is_recorded_on_each_call_it_left(client: Any) -> None:
    @weave.op
    def inner() -> None:
        raise ValueError("out of luck")

    @weave.op
    def outer() -> None:
        inner()

    @weave.op
    def careful() -> str:
        try:
            inner()
        except ValueError:
            return "recovered"

    with pytest.raises(ValueError, match="out of luck"):
        outer()
    careful()
    client.flush()
    calls = list(client.get_calls())
    assert tree(calls) == [("outer", [("inner", [])]), ("careful", [("inner", [])])]
    assert [call.summary["weave"]["status"] for call in calls] == ["error", "error", "descendant_error", "error"]
    told = json.loads(calls[1].exception)
    assert (told["type"], told["message"]) == ("ValueError", "out of luck")
    assert "inner" in [frame["function_name"] for frame in told["traceback"]]


def test_attributes_hold_for_all_calls_made_under_them(client: Any) -> None:
    with weave.attributes({"tenant": "acme", "nested": {"request": 7}}):
        answer("Why?")
    embed("outside")
    client.flush()
    calls = list(client.get_calls())
    for call in calls[:3]:
        assert (call.attributes["tenant"], call.attributes["nested"]["request"]) == ("acme", 7)
    assert "tenant" not in calls[3].attributes
    assert calls[0].attributes["weave"]["client_version"] == weave.__version__
    found = client.get_calls(query={"$expr": {"$eq": [{"$getField": "attributes.nested.request"}, {"$literal": 7}]}})
    assert len(found) == 3


def test_usage_of_models_is_kept_and_rolled_up(client: Any) -> None:
    @weave.op
    def complete(prompt: str) -> dict:
        return {"model": "test-model", "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}

    @weave.op
    def twice() -> None:
        complete("a")
        complete("b")

    twice()
    client.flush()
    usage = client.get_calls()[0].summary["usage"]["test-model"]
    assert (usage["requests"], usage["prompt_tokens"], usage["completion_tokens"]) == (2, 22, 14)


def test_a_call_can_be_renamed_before_and_after_its_end(client: Any) -> None:
    @weave.op(call_display_name=lambda call: f"Embedding {call.inputs['text']}")
    def named(text: str) -> str:
        return text

    named("a")
    _, call = named.call("b")
    client.flush()
    call.set_display_name("A better name")
    client.flush()
    assert [call.display_name for call in client.get_calls()] == ["Embedding a", "A better name"]
    call.remove_display_name()
    client.flush()
    assert [call.display_name for call in client.get_calls()] == ["Embedding a", None]


def test_deleted_calls_are_gone_with_what_they_called(client: Any) -> None:
    _, call = answer.call("Why?")
    embed("stays")
    client.flush()
    client.delete_call(call)
    assert [call.inputs for call in client.get_calls()] == [{"text": "stays"}]


def test_many_calls_are_deleted_at_once_and_by_themselves(client: Any) -> None:
    ids = [embed.call(str(n))[1].id for n in range(4)]
    _, root = answer.call("Why?")
    client.flush()
    client.delete_calls(ids[:2])
    assert [call.id for call in client.get_calls() if call.parent_id is None] == [*ids[2:], root.id]
    found = client.get_call(root.id)
    assert [child.inputs["text"] for child in found.children()] == ["Why?", "Why? 世界"]
    found.delete()
    assert [call.id for call in client.get_calls()] == ids[2:]
    with pytest.raises(Exception, match="not found|404"):
        client.get_call(root.id)


def test_calls_are_found_by_filter_query_sort_and_page(client: Any) -> None:
    @weave.op
    def square(n: int) -> dict:
        return {"value": n * n, "label": f"number {n}"}

    for n in range(12):
        square(n)
    embed("other")
    client.flush()
    squares = {"op_names": [weave.publish(square).uri()]}

    def numbers(**options: Any) -> list[int]:
        return [call.inputs["n"] for call in client.get_calls(filter=squares, **options)]

    assert numbers() == list(range(12))
    assert numbers(limit=3, offset=2) == [2, 3, 4]
    assert numbers(page_size=5) == list(range(12))
    assert numbers(sort_by=[{"field": "output.value", "direction": "desc"}], limit=3) == [11, 10, 9]
    assert numbers(query={"$expr": {"$gte": [{"$getField": "inputs.n"}, {"$literal": 10}]}}) == [10, 11]
    contains = {"$contains": {"input": {"$getField": "output.label"}, "substr": {"$literal": "NUMBER 1"}, "case_insensitive": True}}
    assert numbers(query={"$expr": contains}) == [1, 10, 11]
    either = {"$or": [{"$eq": [{"$getField": "inputs.n"}, {"$literal": n}]} for n in (3, 5)]}
    assert numbers(query={"$expr": either}) == [3, 5]
    calls = client.get_calls(filter={"trace_roots_only": True})
    assert len(calls) == 13
    assert calls[12].inputs == {"text": "other"}
    narrow = client.get_calls(filter=squares, columns=["inputs"], limit=1)[0]
    assert narrow.inputs == {"n": 0}
    assert narrow.output is None
    assert client.get_call(calls[3].id).output == {"value": 9, "label": "number 3"}


def test_large_and_odd_values_come_back_as_they_were(client: Any) -> None:
    value = {"text": "ü" * 200_000, "big": 2**53 + 1, "float": 1.0, "nothing": None, "list": [True, {"a b/c.d": -0.5}], "": "empty key"}

    @weave.op
    def echo(value: dict) -> dict:
        return value

    echo(value)
    client.flush()
    call = client.get_calls()[0]
    assert call.output == value
    assert call.inputs["value"] == value
    assert isinstance(call.output["float"], float)


def test_the_source_of_an_op_is_saved_in_versions(client: Any) -> None:
    def define(factor: int) -> Any:
        if factor == 2:

            @weave.op(name="scale")
            def scale(n: int) -> int:
                return n * 2

        else:

            @weave.op(name="scale")
            def scale(n: int) -> int:
                return n * 3

        return scale

    outputs = [define(factor)(7) for factor in (2, 3)]
    client.flush()
    calls = list(client.get_calls())
    assert [call.output for call in calls] == outputs == [14, 21]
    sources = [weave.ref(call.op_name).get().get_captured_code() for call in calls]
    assert ["return n * 2" in sources[0], "return n * 3" in sources[1]] == [True, True]
    assert weave.ref(calls[0].op_name).get()(10) == 20
    assert len(client.get_calls(filter={"op_names": [calls[0].op_name.rsplit(":", 1)[0] + ":*"]})) == 2


def test_many_calls_are_all_recorded(client: Any) -> None:
    for n in range(400):
        embed(str(n))
    client.flush()
    assert len(client.get_calls()) == 400
    assert sorted(int(call.inputs["text"]) for call in client.get_calls(page_size=150)) == list(range(400))
