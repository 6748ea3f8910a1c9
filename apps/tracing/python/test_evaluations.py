"""Evaluations of two models over a dataset, with several trials, a model that raises and a scorer that raises."""

from __future__ import annotations

import asyncio
import datetime
from statistics import fmean
from typing import Any

import pytest
import weave
from eval_results import assert_results_follow_from_calls, digests, eval_results, trials_by
from http_api import get, post
from needs import needs
from raw_calls import RawCalls
from recomputed_results import recomputed_rows
from weave.trace_server_bindings.remote_http_trace_server import RemoteHTTPTraceServer

ROWS = [
    {"question": "why", "expected": "WHY"},
    {"question": "Where to? 世界", "expected": "WHERE TO? 世界"},
    {"question": "unanswerable", "expected": "UNANSWERABLE"},
    {"question": "how", "expected": "unjudgeable"},
    {"question": "when", "expected": "now"},
]
TRIALS = 3


class Shout(weave.Model):
    @weave.op
    def predict(self, question: str) -> dict:
        if question == "unanswerable":
            raise ValueError("no answer")
        usage = {"prompt_tokens": len(question), "completion_tokens": 2, "total_tokens": len(question) + 2}
        return {"text": question.upper(), "model": "our-model", "usage": usage}


@weave.op
def whisper(question: str) -> dict:
    return {"text": question.lower()}


class Length(weave.Scorer):
    limit: int

    @weave.op
    def score(self, *, output: dict) -> dict:
        length = len(output["text"])
        return {"length": length, "fits": length <= self.limit, "nested": {"half": length / 2, "word": output["text"]}, "nothing": None}


@weave.op
def exact(expected: str, output: dict) -> bool:
    if expected == "unjudgeable":
        raise ValueError("no judgement")
    return output["text"] == expected


def evaluate(client: Any, rows: list[dict], *models: Any) -> list[str]:
    """Runs an evaluation on each model and returns the ids of the runs, as the client finds them."""
    dataset = weave.Dataset(name="questions", rows=rows)
    evaluation = weave.Evaluation(name="answers", dataset=dataset, scorers=[Length(name="length", limit=4), exact], trials=TRIALS)
    for model in models:
        asyncio.run(evaluation.evaluate(model))
    client.flush()
    return [call.id for call in evaluation.get_evaluate_calls()]


@pytest.fixture
def evaluations(client: Any) -> list[str]:
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
    client.add_cost(llm_id="our-model", prompt_token_cost=0.5, completion_token_cost=0.25, effective_date=long_ago)
    return evaluate(client, ROWS, Shout(name="shout"), whisper)


def test_rows_trials_scores_and_summaries_follow_from_the_calls(evaluations: list[str], project: str) -> None:
    rows = assert_results_follow_from_calls(project, evaluations)
    shout, whispering = (trials_by(rows, evaluation) for evaluation in evaluations)
    assert [len(trials) for trials in (*shout, *whispering)] == [TRIALS] * 2 * len(ROWS)
    unanswered = [trial for trials in shout for trial in trials if trial["model_output"] is None and "length" not in trial["scores"]]
    assert [(trial["scores"], trial["total_tokens"]) for trial in unanswered] == [({}, None)] * TRIALS
    unjudged = [trial for trials in whispering for trial in trials if "exact" not in trial["scores"]]
    assert [trial["scores"]["length"]["nested"]["word"] for trial in unjudged] == ["how"] * TRIALS
    answer = eval_results(project, evaluations, include_rows=False, include_summary=True)
    assert (answer["rows"], answer["total_rows"]) == ([], 0)
    by_scorer = [{(stat["scorer_key"], stat["path"]): stat for stat in entry["scorer_stats"]} for entry in answer["summary"]["evaluations"]]
    assert [stats["exact", None]["pass_rate"] for stats in by_scorer] == [2 / 3, 0]
    assert [stats["length", "length"]["numeric_mean"] for stats in by_scorer] == [(3 + 12 + 3 + 4) / 4, (3 + 12 + 12 + 3 + 4) / 5]
    assert answer["summary"]["evaluations"][0]["predict_total_tokens"] == TRIALS * (3 + 12 + 3 + 4 + 4 * 2)


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_rows_of_the_dataset_stand_in_place_of_their_references(evaluations: list[str], project: str) -> None:
    answer = eval_results(project, evaluations, include_raw_data_rows=True, resolve_row_refs=True)
    questions = [row["raw_data_row"] for row in answer["rows"]]
    assert sorted(questions, key=str) == sorted(ROWS, key=str)
    outputs = [[trial["model_output"] for trial in trials] for trials in trials_by(answer["rows"], evaluations[1])]
    texts = [None if row["expected"] == "unjudgeable" else {"text": row["question"].lower()} for row in questions]
    assert outputs == [[text] * TRIALS for text in texts]


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_rows_are_sorted_paged_and_filtered_by_their_scores(evaluations: list[str], project: str) -> None:
    # What trials are sorted by stands in their own calls.
    rows = recomputed_rows(RawCalls(project), evaluations, children=False)
    shout, whispering = ({row["row_digest"]: mean_length(trials) for row, trials in zip(rows, trials_by(rows, id_))} for id_ in evaluations)
    known = [digest for digest, mean in shout.items() if mean is not None]
    unknown = [digest for digest in shout if digest not in known]
    longest = {"field": "scores.length.length", "direction": "desc", "evaluation_call_id": evaluations[0]}
    by_length = sorted(known, key=lambda digest: (-shout[digest], digest))
    assert digests(eval_results(project, evaluations, sort_by=[longest])) == by_length + unknown
    page = eval_results(project, evaluations, sort_by=[longest], limit=2, offset=1)
    assert (digests(page), page["total_rows"]) == (by_length[1:3], len(ROWS))
    apart = {"field": "scores.length.length", "direction": "desc", "mode": "difference"}
    by_difference = sorted(known, key=lambda digest: (-abs(shout[digest] - whispering[digest]), digest))
    assert digests(eval_results(project, evaluations, sort_by=[apart])) == by_difference + unknown
    right = {"$expr": {"$eq": [{"$getField": "scores.exact"}, {"$literal": True}]}}
    filters = [{"evaluation_call_id": evaluations[0], "query": right}]
    filtered = eval_results(project, evaluations, filters=filters, include_raw_data_rows=True, resolve_row_refs=True)
    assert sorted(row["raw_data_row"]["question"] for row in filtered["rows"]) == ["Where to? 世界", "why"]


def mean_length(trials: list[dict]) -> float | None:
    lengths = [trial["scores"]["length"]["length"] for trial in trials if "length" in trial["scores"]]
    return fmean(lengths) if lengths else None


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_evaluations_of_different_datasets_share_their_equal_rows(client: Any, evaluations: list[str], project: str) -> None:
    [smaller] = evaluate(client, [*ROWS[1:3], {"question": "new", "expected": "NEW"}], whisper)
    every = [*evaluations, smaller]
    assert len(assert_results_follow_from_calls(project, every)) == len(ROWS) + 1
    shared = eval_results(project, every, require_intersection=True, include_summary=True, include_raw_data_rows=True, resolve_row_refs=True)
    assert sorted(row["raw_data_row"]["question"] for row in shared["rows"]) == ["Where to? 世界", "unanswerable"]
    assert (shared["total_rows"], shared["summary"]["row_count"]) == (2, 2)
    assert [entry["trial_count"] for entry in shared["summary"]["evaluations"]] == [2 * TRIALS] * 3


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_runs_predictions_and_scores_are_views_of_the_calls(evaluations: list[str], project: str) -> None:
    calls = RawCalls(project)
    for evaluation in evaluations:
        root = calls.by_id[evaluation]
        assert post("/evaluations/status", {"project_id": project, "call_id": evaluation}) == {"status": {"code": "complete", "output": root["output"]}}
        run = get(f"/v2/{project}/evaluation_runs/{evaluation}")
        assert (run["evaluation"], run["model"], run["status"]) == (root["inputs"]["self"], root["inputs"]["model"], "completed")
        assert (run["started_at"], run["finished_at"]) == (root["started_at"], root["ended_at"])
        assert run["summary"]["status_counts"] == root["summary"]["status_counts"]
    trials = [trial for row in recomputed_rows(calls, evaluations) for entry in row["evaluations"] for trial in entry["trials"]]
    for trial in trials[:: TRIALS + 1]:
        predict = calls.by_id[trial["predict_call_id"]]
        prediction = get(f"/v2/{project}/predictions/{predict['id']}")
        assert (prediction["output"], prediction["evaluation_run_id"]) == (predict["output"], calls.by_id[predict["parent_id"]]["parent_id"])
        for name, score_id in trial["scorer_call_ids"].items():
            score = get(f"/v2/{project}/scores/{score_id}")
            assert (score["value"], score["evaluation_run_id"]) == (trial["scores"][name], prediction["evaluation_run_id"])


@needs("eval_results_query", of=RemoteHTTPTraceServer)
@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_the_client_reads_the_results_itself(client: Any, evaluations: list[str], project: str) -> None:
    options = {"include_summary": True, "include_raw_data_rows": True, "resolve_row_refs": True}
    answer = client.server.eval_results_query({"project_id": project, "evaluation_run_ids": evaluations, **options})
    assert answer.model_dump(mode="json", by_alias=True, exclude_unset=True) == eval_results(project, evaluations, **options)
    status = client.server.evaluation_status({"project_id": project, "call_id": evaluations[0]}).status
    assert (status.code, status.output) == ("complete", RawCalls(project).by_id[evaluations[0]]["output"])
