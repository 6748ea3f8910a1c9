"""Evaluations that a program logs itself: predictions with their scores, one by one, of two models with several trials and failing rows."""

from __future__ import annotations

from typing import Any

import pytest
import weave
from eval_results import assert_results_follow_from_calls, eval_results, trials_by
from http_api import get, post
from needs import since
from raw_calls import RawCalls

QUESTIONS = [{"question": "why"}, {"question": "Where to? 世界", "depth": {"levels": [1, 2.5, None]}}]
TRIALS = 2


@weave.op
def think(question: str) -> dict:
    return {"model": "our-model", "text": question.upper(), "usage": {"prompt_tokens": 4, "completion_tokens": 1, "total_tokens": 5}}


def log_answers(logger: Any) -> None:
    """Each question several times, with a score that is not a number and one that is missing for the second question."""
    for trial in range(TRIALS):
        for row in QUESTIONS:
            with logger.log_prediction(inputs=row) as prediction:
                prediction.output = think(row["question"])["text"]
                prediction.log_score("correct", trial == 0)
                prediction.log_score("style", {"grade": trial + 0.25, "polite": True, "words": {"count": len(row)}})
                if row is QUESTIONS[0]:
                    with prediction.log_score("effort") as effort:
                        effort.value = think("deeply")["usage"]["total_tokens"]


def log_failures(logger: Any) -> None:
    """One row whose model raises and one whose scorer raises."""
    with pytest.raises(ValueError, match="no answer"), logger.log_prediction(inputs={"question": "unanswerable"}):
        raise ValueError("no answer")
    prediction = logger.log_prediction(inputs={"question": "unjudgeable"}, output="maybe")
    prediction.log_score("correct", False)
    # The older version raises for the value that was not set, and leaves the score's call open.
    with pytest.raises((ValueError, AttributeError)), prediction.log_score("effort"):
        raise ValueError("no judgement")
    prediction.finish()


def evaluate(model: str) -> Any:
    logger = weave.EvaluationLogger(name=f"answers of {model}", model=model, dataset=QUESTIONS)
    log_answers(logger)
    log_failures(logger)
    logger.log_summary({"remark": model})
    return logger


def status(project: str, evaluation: str) -> dict:
    return post("/evaluations/status", {"project_id": project, "call_id": evaluation})["status"]


def test_rows_trials_scores_and_summaries_follow_from_the_calls(client: Any, project: str) -> None:
    for model in ("sage", "parrot"):
        evaluate(model)
    client.flush()
    calls = RawCalls(project)
    evaluations = [call["id"] for call in calls.below(None)]
    rows = assert_results_follow_from_calls(project, evaluations)
    examples = [*QUESTIONS, {"question": "unanswerable"}, {"question": "unjudgeable"}]
    assert sorted((row["raw_data_row"] for row in rows), key=str) == sorted(examples, key=str)
    for evaluation, model in zip(evaluations, ("sage", "parrot")):
        root = calls.by_id[evaluation]
        assert (root["display_name"], root["output"]["output"]) == (f"answers of {model}", {"remark": model})
        assert f"/object/{model}:" in root["inputs"]["model"]
        assert status(project, evaluation) == {"code": "complete", "output": root["output"]}
        trials = {row["raw_data_row"]["question"]: trials for row, trials in zip(rows, trials_by(rows, evaluation))}
        counts = {"why": TRIALS, "Where to? 世界": TRIALS, "unanswerable": 1, "unjudgeable": 1}
        assert {question: len(of_row) for question, of_row in trials.items()} == counts
        assert [sorted(trial["scores"]) for trial in trials["why"]] == [["correct", "effort", "style"]] * TRIALS
        assert [(trial["model_output"], trial["total_tokens"]) for trial in trials["Where to? 世界"]] == [("WHERE TO? 世界", 5)] * TRIALS
        assert [(trial["model_output"], trial["scores"]) for trial in trials["unanswerable"]] == [(None, {})]
        assert [(trial["model_output"], trial["scores"]) for trial in trials["unjudgeable"]] == [("maybe", {"correct": False})]
        assert set(trials["why"][0]["scorer_call_ids"]) == {"correct", "effort", "style"}


@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_predictions_and_scores_are_read_by_the_ids_of_their_calls(client: Any, project: str) -> None:
    logger = weave.EvaluationLogger(model="sage", dataset=QUESTIONS)
    log_answers(logger)
    logger.finish()
    client.flush()
    [evaluation] = [call["id"] for call in RawCalls(project).below(None)]
    for row in eval_results(project, [evaluation], include_raw_data_rows=True)["rows"]:
        for trial in row["evaluations"][0]["trials"]:
            prediction = get(f"/v2/{project}/predictions/{trial['predict_call_id']}")
            assert (prediction["inputs"], prediction["output"]) == (row["raw_data_row"], trial["model_output"])
            assert prediction["evaluation_run_id"] == evaluation
            for name, score_id in trial["scorer_call_ids"].items():
                score = get(f"/v2/{project}/scores/{score_id}")
                assert (score["value"], score["evaluation_run_id"]) == (trial["scores"][name], evaluation)


@since("0.54.0", "makes a call of every score")
@pytest.mark.parametrize("client", ["complete"], indirect=True)
def test_scores_without_calls_of_their_own_count(client: Any, project: str) -> None:
    logger = weave.EvaluationLogger(model="sage", trace_scores=False)
    for grade, row in enumerate(QUESTIONS):
        logger.log_example(inputs=row, output=None, scores={"grade": grade, "A style, named freely": {"polite": True}})
    logger.log_summary()
    client.flush()
    [evaluation] = [call["id"] for call in RawCalls(project).below(None)]
    rows = assert_results_follow_from_calls(project, [evaluation])
    trials = [trial for of_row in trials_by(rows, evaluation) for trial in of_row]
    assert sorted(trial["scores"]["grade"] for trial in trials) == [0, 1]
    assert [(len(trial["scores"]), trial["scorer_call_ids"]) for trial in trials] == [(2, {})] * 2


def test_the_status_follows_an_evaluation_to_its_end(client: Any, project: str) -> None:
    logger = weave.EvaluationLogger(model="sage", dataset=[{"question": f"{n}"} for n in range(9)])
    log_answers(logger)
    client.flush()
    [evaluation] = [call["id"] for call in RawCalls(project).below(None)]
    assert status(project, evaluation) == {"code": "running", "completed_rows": TRIALS * len(QUESTIONS), "total_rows": 9}
    assert get(f"/v2/{project}/evaluation_runs/{evaluation}")["status"] == "running"
    logger.fail(RuntimeError("out of memory"))
    client.flush()
    failed = status(project, evaluation)
    assert failed["code"] == "failed"
    assert "out of memory" in failed["error"]
    assert get(f"/v2/{project}/evaluation_runs/{evaluation}")["status"] == "failed"
    assert len(eval_results(project, [evaluation])["rows"]) == len(QUESTIONS)
    assert status(project, "gone") == {"code": "not_found"}
