"""Annotation queues: calls that wait for people, and what people did with them."""

from __future__ import annotations

from typing import Any

import pytest
import weave
from needs import needs
from weave.trace.weave_client import WeaveClient

pytestmark = [needs("create_annotation_queue"), pytest.mark.parametrize("client", ["complete"], indirect=True)]


@weave.op
def answer(question: str) -> str:
    return question.upper()


def answered(client: WeaveClient, count: int) -> list[str]:
    ids = [answer.call(f"question {n}")[1].id for n in range(count)]
    client.flush()
    return ids


def progress(client: WeaveClient, queue_id: str, item_id: str, state: str) -> Any:
    request = {"project_id": client.project_id, "queue_id": queue_id, "item_id": item_id, "annotation_state": state}
    return client.server.annotator_queue_items_progress_update(request).item


def test_queues_are_made_found_changed_and_deleted(client: Any) -> None:
    spec = weave.publish(weave.AnnotationSpec(name="Grade", field_schema={"type": "boolean"}), "grade")
    first = client.create_annotation_queue(name="Review of answers", scorer_refs=[spec.uri()], description="Be strict. 世界")
    second = client.create_annotation_queue(name="Something else", scorer_refs=[])
    queue = client.get_annotation_queue(first)
    assert (queue.name, queue.description, queue.scorer_refs) == ("Review of answers", "Be strict. 世界", [spec.uri()])
    assert [found.id for found in client.list_annotation_queues()] == [second, first]
    assert [found.id for found in client.list_annotation_queues(name="REVIEW")] == [first]
    by_name = [{"field": "name", "direction": "asc"}]
    assert [found.id for found in client.list_annotation_queues(sort_by=by_name, limit=1, offset=1)] == [second]
    changed = client.update_annotation_queue(first, name="Review", scorer_refs=[])
    assert (changed.name, changed.description, changed.scorer_refs) == ("Review", "Be strict. 世界", [])
    assert client.delete_annotation_queue(first).deleted_at is not None
    assert [found.id for found in client.list_annotation_queues()] == [second]
    with pytest.raises(Exception, match="404|not found"):
        client.get_annotation_queue(first)


def test_calls_become_items_once(client: Any) -> None:
    calls = answered(client, 3)
    queue = client.create_annotation_queue(name="Review", scorer_refs=[])
    added = client.add_calls_to_annotation_queue(queue, call_ids=[*calls[:2], calls[0], "gone"], display_fields=["inputs.question"])
    assert (added.added_count, added.duplicates) == (2, 0)
    added = client.add_calls_to_annotation_queue(queue, call_ids=calls, display_fields=["output"])
    assert (added.added_count, added.duplicates) == (1, 2)
    items = client.list_annotation_queue_items(queue, include_position=True)
    assert [item.position_in_queue for item in items] == [1, 2, 3]
    assert {item.call_id for item in items} == set(calls)
    assert {(item.call_op_name, item.annotation_state) for item in items} == {(client.get_call(calls[0]).op_name, "unstarted")}
    assert {item.call_id: item.display_fields for item in items}[calls[2]] == ["output"]
    [last] = client.list_annotation_queue_items(queue, filter={"call_id": calls[2]})
    assert last.call_trace_id == client.get_call(calls[2]).trace_id
    queued = {"$expr": {"$eq": [{"$getField": "annotation_queue_items.queue_id"}, {"$literal": queue}]}}
    assert {call.id for call in client.get_calls(query=queued)} == set(calls)


def test_progress_of_items_is_counted(client: Any) -> None:
    queue = client.create_annotation_queue(name="Review", scorer_refs=[])
    client.add_calls_to_annotation_queue(queue, call_ids=answered(client, 4), display_fields=["output"])
    first, second, third, fourth = client.list_annotation_queue_items(queue)
    assert progress(client, queue, first.id, "completed").annotation_state == "completed"
    assert progress(client, queue, second.id, "skipped").annotation_state == "skipped"
    assert progress(client, queue, third.id, "in_progress").annotator_user_id
    with pytest.raises(Exception, match="transition"):
        progress(client, queue, first.id, "skipped")
    states = [item.annotation_state for item in client.list_annotation_queue_items(queue)]
    assert states == ["completed", "skipped", "in_progress", "unstarted"]
    waiting = client.list_annotation_queue_items(queue, filter={"annotation_states": ["unstarted"]}, include_position=True)
    assert [(item.id, item.position_in_queue) for item in waiting] == [(fourth.id, 4)]
    [stats] = client.get_annotation_queue_stats([queue])
    assert (stats.queue_id, stats.total_items, stats.completed_items) == (queue, 4, 2)
