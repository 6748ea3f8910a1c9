"""Evaluations in other forms: scorers of older programs, free names, rows that are prepared, and classes of one's own."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import weave
from eval_results import assert_results_follow_from_calls, trials_by


class Oracle(weave.Model):
    @weave.op
    def invoke(self, riddle: str) -> str:
        return riddle[::-1]


class Palindrome(weave.Scorer):
    column_map: dict[str, str] | None = {"answer": "expected"}

    @weave.op
    def score(self, answer: str, model_output: str) -> dict:
        return {"same as expected": model_output == answer, "a.b": {"": 1}}


class Exam(weave.Evaluation):
    @weave.op
    async def predict_and_score(self, model: Any, example: dict) -> dict:
        output = model.invoke(example["riddle"])
        return {"output": output, "scores": {"reads the same": output == example["riddle"]}}


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_older_scorers_free_names_prepared_rows_and_classes_of_ones_own(client: Any, project: str) -> None:
    dataset = weave.Dataset(name="riddles", rows=[{"question": "level", "expected": "level"}, {"question": "water", "expected": "fire"}])
    scorer = Palindrome(name="Same, read backwards? 世界")
    prepare = {"preprocess_model_input": lambda row: {"riddle": row["question"]}}
    older = weave.Evaluation(name="backwards", dataset=dataset, scorers=[scorer], **prepare)
    own = Exam(name="own", dataset=weave.Dataset(name="palindromes", rows=[{"riddle": "noon"}]), scorers=[])
    for evaluation in (older, own):
        asyncio.run(evaluation.evaluate(Oracle(name="oracle")))
    client.flush()
    ids = [evaluate_call.id for evaluation in (older, own) for evaluate_call in evaluation.get_evaluate_calls()]
    rows = assert_results_follow_from_calls(project, ids)
    outputs, own_outputs = ([trial["model_output"] for trials in trials_by(rows, id_) for trial in trials] for id_ in ids)
    assert (sorted(outputs), own_outputs) == (["level", "retaw"], ["noon"])
    [scored, _] = [trial for trials in trials_by(rows, ids[0]) for trial in trials]
    assert set(scored["scorer_call_ids"]) == set(scored["scores"]) != set()
