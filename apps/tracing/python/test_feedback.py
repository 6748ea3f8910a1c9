"""Feedback on calls and objects: reactions, notes, types of one's own, annotations and results of scorers."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest
import weave
from needs import since
from pydantic import BaseModel, Field
from weave.trace.feedback import RefFeedbackQuery


@weave.op
def answer(question: str) -> str:
    return question.upper()


class Length(weave.Scorer):
    limit: int

    @weave.op
    def score(self, *, output: str) -> dict:
        return {"length": len(output), "ok": len(output) <= self.limit}


@weave.op
def shouts(output: str) -> bool:
    return output.isupper()


def answered(client: Any, question: str = "why?") -> Any:
    _, call = answer.call(question)
    client.flush()
    return client.get_call(call.id)


def types(rows: Any) -> list[str]:
    return [row.feedback_type for row in rows]


def test_reactions_notes_and_own_types_are_listed_in_order_and_purged(client: Any) -> None:
    call = answered(client)
    reaction = call.feedback.add_reaction("👍🏽", creator="Ada")
    note = call.feedback.add_note("Good. 世界")
    own = call.feedback.add("correctness", {"value": 0.5}, reason="half right")
    client.flush()
    found = list(call.feedback)
    assert [row.id for row in found] == [reaction, note, own]
    assert types(found) == ["wandb.reaction.1", "wandb.note.1", "correctness"]
    assert [row.creator for row in found] == ["Ada", None, None]
    assert {"emoji": "👍🏽", "detoned": "👍", "detoned_alias": ":thumbs_up:"}.items() <= found[0].payload.items()
    assert [row.payload for row in found[1:]] == [{"note": "Good. 世界"}, {"value": 0.5, "reason": "half right"}]
    assert {row.weave_ref for row in found} == {call.ref.uri()}
    assert all(row.wb_user_id and row.created_at.tzinfo for row in found)
    call.feedback.purge(note)
    assert types(call.feedback) == ["wandb.reaction.1", "correctness"]
    call.feedback.purge(note)
    assert len(call.feedback) == 2


def test_feedback_may_come_before_its_call(client: Any) -> None:
    _, call = answer.call("early")
    call.feedback.add_note("before the flush")
    client.flush()
    assert types(client.get_calls()[0].feedback) == ["wandb.note.1"]


def test_an_object_takes_feedback_too(client: Any) -> None:
    ref = weave.publish(weave.StringPrompt("Be kind."), name="judged")
    query = RefFeedbackQuery(ref.uri())
    query.add_note("well said")
    client.flush()
    assert [row.payload for row in query] == [{"note": "well said"}]


def test_what_breaks_a_rule_is_not_kept(client: Any) -> None:
    call = answered(client)
    unknown = f"weave:///{client.entity}/{client.project}/object/gone:{'0' * 43}"
    call.feedback.add_reaction("no emoji")
    client.flush()
    call.feedback.add_note("x" * 1_025)
    client.flush()
    call.feedback.add("wandb.annotation.gone", {"value": 1}, annotation_ref=unknown)
    client.flush()
    with pytest.raises(ValueError, match="reserved"):
        call.feedback.add("wandb.mine", {"a": 1})
    assert len(call.feedback) == 0


@since("0.54.0", "drops all that it sends with one that is refused")
def test_one_that_is_refused_does_not_take_others_along(client: Any) -> None:
    call = answered(client)
    for note in ("one", "x" * 1_025, "two", "three"):
        call.feedback.add_note(note)
    client.flush()
    assert sorted(row.payload["note"] for row in call.feedback) == ["one", "three", "two"]


def test_feedback_of_a_project_is_found_by_id_reaction_query_and_page(client: Any) -> None:
    first, second = answered(client, "one"), answered(client, "two")
    thumb = first.feedback.add_reaction("👍")
    second.feedback.add_reaction("🎉")
    for n in range(5):
        second.feedback.add("grade", {"n": n, "label": f"grade {n}"})
    client.flush()
    assert types(client.get_feedback()) == ["wandb.reaction.1", "wandb.reaction.1", *["grade"] * 5]
    assert [row.weave_ref for row in client.get_feedback(thumb)] == [first.ref.uri()]
    assert [row.payload["emoji"] for row in client.get_feedback(reaction="🎉")] == ["🎉"]
    assert [row.payload["n"] for row in client.get_feedback(offset=4, limit=2)] == [2, 3]
    assert list(client.get_feedback("0" * 8)) == []


@since("0.54.0", "ignores a query that is given as a dictionary")
def test_feedback_is_found_by_what_its_payload_says(client: Any) -> None:
    call = answered(client)
    for n in range(5):
        call.feedback.add("grade", {"n": n})
    client.flush()
    above = {"$expr": {"$gt": [{"$convert": {"input": {"$getField": "payload.n"}, "to": "int"}}, {"$literal": 2}]}}
    assert [row.payload["n"] for row in client.get_feedback(above)] == [3, 4]


class Verdict(BaseModel):
    grade: Literal["good", "bad"]
    score: int = Field(ge=0, le=10)


@pytest.mark.parametrize(
    ("field_schema", "good", "bad"),
    [
        ({"type": "string", "enum": ["good", "bad"]}, "good", "ugly"),
        ({"type": "string", "pattern": "^[A-Z]{2}-[0-9]+$"}, "AB-12", "ab-12"),
        ((int, Field(ge=0, le=10)), 10, 11),
        (bool, True, "true"),
        (Verdict, {"grade": "good", "score": 3}, {"grade": "good", "score": 30}),
    ],
)
@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_annotations_follow_the_schema_of_their_spec(client: Any, field_schema: Any, good: Any, bad: Any) -> None:
    spec = weave.AnnotationSpec(name="Judgement", description="How good is it?", field_schema=field_schema, unique_among_creators=True)
    ref = weave.publish(spec, "judgement")
    saved = weave.ref(ref.uri()).get()
    assert (saved.name, saved.description, saved.field_schema) == (spec.name, spec.description, spec.field_schema)
    assert saved.value_is_valid(good)
    call = answered(client)
    annotate = {"feedback_type": "wandb.annotation.judgement", "annotation_ref": ref.uri()}
    for value in (bad, good, bad):
        call.feedback.add(payload={"value": value}, **annotate)
        client.flush()
    [row] = call.feedback
    assert (row.payload, row.annotation_ref) == ({"value": good}, ref.uri())
    field = "feedback.[wandb.annotation.judgement].payload.value"
    assert len(client.get_calls(query={"$expr": {"$not": [{"$eq": [{"$getField": field}, {"$literal": "never"}]}]}})) == 1


def test_a_scorer_leaves_its_result_on_the_call(client: Any) -> None:
    scorer = Length(name="length", limit=3)
    _, long = answer.call("a longer question")
    _, short = answer.call("why")

    async def score() -> None:
        for call in (long, short):
            await call.apply_scorer(scorer)
        await short.apply_scorer(shouts)

    asyncio.run(score())
    client.flush()
    rows = list(client.get_call(short.id).feedback)
    assert sorted(types(rows)) == ["wandb.runnable.length", "wandb.runnable.shouts"]
    by_type = {row.feedback_type: row for row in rows}
    assert by_type["wandb.runnable.length"].payload == {"output": {"length": 3, "ok": True}}
    assert by_type["wandb.runnable.length"].runnable_ref == scorer.ref.uri()
    assert by_type["wandb.runnable.shouts"].payload == {"output": True}
    score_call = client.get_call(by_type["wandb.runnable.shouts"].call_ref.rsplit("/", 1)[-1])
    assert score_call.output is True

    field = {"$getField": "feedback.[wandb.runnable.length].payload.output.length"}
    over = {"$expr": {"$gt": [{"$convert": {"input": field, "to": "int"}}, {"$literal": 3}]}}
    assert [call.id for call in client.get_calls(query=over)] == [long.id]
    assert [call.id for call in client.get_calls(scored_by="shouts")] == [short.id]
    assert [call.id for call in client.get_calls(scored_by=["length", "shouts"])] == [short.id]
    assert {call.id for call in client.get_calls(scored_by=scorer.ref.uri())} == {long.id, short.id}


def test_calls_are_read_with_their_feedback(client: Any) -> None:
    first, second = answered(client, "one"), answered(client, "two")
    first.feedback.add_note("a note")
    first.feedback.add_reaction("👍")
    client.flush()
    found = {call.id: call.summary["weave"]["feedback"] for call in client.get_calls(include_feedback=True)}
    assert [row["feedback_type"] for row in found[first.id]] == ["wandb.note.1", "wandb.reaction.1"]
    assert found[first.id][0]["payload"] == {"note": "a note"}
    assert list(found[second.id]) == []
    noted = {"$expr": {"$eq": [{"$getField": "feedback.[wandb.note.1].payload.note"}, {"$literal": "a note"}]}}
    assert [call.id for call in client.get_calls(query=noted, columns=["inputs"])] == [first.id]
