"""Evaluations that are recorded through typed collections, runs, predictions and scores, for which the client has methods."""

from __future__ import annotations

from typing import Any

import pytest
import weave
from eval_results import assert_results_follow_from_calls, trials_by
from needs import needs
from weave.trace_server_bindings.remote_http_trace_server import RemoteHTTPTraceServer

pytestmark = [needs("evaluation_run_create", of=RemoteHTTPTraceServer), pytest.mark.parametrize("client", ["complete"], indirect=True)]

ROWS = [{"question": "why"}, {"question": "Where to? 世界"}, {"question": "unanswerable"}]
TRIALS = 2
SCORE_CODE = "def score(output):\n    return len(output)\n"
MODEL_CODE = "def predict(question):\n    return question.upper()\n"


class Collections:
    """Sends requests about one project through the client's own methods."""

    def __init__(self, client: Any) -> None:
        self.server, self.project_id = client.server, client.project_id

    def __call__(self, method: str, **request: Any) -> Any:
        return getattr(self.server, method)({"project_id": self.project_id, **request})

    def listed(self, method: str, **request: Any) -> list[Any]:
        return list(self(method, **request))


@pytest.fixture
def ask(client: Any) -> Collections:
    return Collections(client)


def run_model(ask: Collections, evaluation: str, model: str, scorers: list[str]) -> str:
    """Predicts and scores each row several times; the last row has no output and no score."""
    run = ask("evaluation_run_create", evaluation=evaluation, model=model).evaluation_run_id
    for trial in range(TRIALS):
        for row in ROWS:
            output = None if row is ROWS[-1] else {"text": row["question"].upper(), "trial": trial}
            prediction = ask("prediction_create", model=model, inputs=row, output=output, evaluation_run_id=run).prediction_id
            for scorer, value in zip(scorers, (trial + 0.5, {"right": trial == 0, "words": len(row["question"].split())})):
                if output is not None:
                    ask("score_create", prediction_id=prediction, scorer=scorer, value=value, evaluation_run_id=run)
            assert ask("prediction_finish", prediction_id=prediction).success
    assert ask("evaluation_run_finish", evaluation_run_id=run, summary={"remark": model}).success
    return run


@pytest.fixture
def runs(ask: Collections) -> list[str]:
    dataset = ask("dataset_create", name="Questions", rows=ROWS)
    scorers = [ask("scorer_create", name=name, op_source_code=SCORE_CODE).scorer for name in ("length", "quality")]
    dataset_ref = f"weave:///{ask.project_id}/object/{dataset.object_id}:{dataset.digest}"
    evaluation = ask("evaluation_create", name="answers", dataset=dataset_ref, scorers=scorers, trials=TRIALS).evaluation_ref
    models = [ask("model_create", name=name, source_code=MODEL_CODE).model_ref for name in ("sage", "parrot")]
    return [run_model(ask, evaluation, model, scorers) for model in models]


def test_results_of_two_runs_follow_from_their_calls(runs: list[str], project: str) -> None:
    rows = assert_results_follow_from_calls(project, runs)
    assert sorted((row["raw_data_row"] for row in rows), key=str) == sorted(ROWS, key=str)
    for run in runs:
        for row, trials in zip(rows, trials_by(rows, run)):
            scores = [(trial["scores"].get("length"), trial["scores"].get("quality")) for trial in trials]
            words = len(row["raw_data_row"]["question"].split())
            answered = [(trial + 0.5, {"right": trial == 0, "words": words}) for trial in range(TRIALS)]
            assert scores == ([(None, None)] * TRIALS if row["raw_data_row"] == ROWS[-1] else answered)


def test_runs_predictions_and_scores_are_listed_read_and_deleted(ask: Collections, runs: list[str]) -> None:
    listed = ask.listed("evaluation_run_list")
    assert [run.evaluation_run_id for run in listed] == runs
    assert [run.evaluation_run_id for run in ask.listed("evaluation_run_list", filter={"models": [listed[1].model]})] == runs[1:]
    assert ask.listed("evaluation_run_list", filter={"evaluations": ["another"]}) == []
    run = ask("evaluation_run_read", evaluation_run_id=runs[0])
    assert (run.status, run.summary["remark"]) == ("completed", run.model)
    assert ask("evaluation_status", call_id=runs[0]).status.output == {"length": {"mean": 1.0}}
    predictions = ask.listed("prediction_list", evaluation_run_id=runs[0])
    assert [prediction.inputs for prediction in predictions] == ROWS * TRIALS
    assert ask("prediction_read", prediction_id=predictions[1].prediction_id).output == {"text": "WHERE TO? 世界", "trial": 0}
    scores = ask.listed("score_list", evaluation_run_id=runs[0])
    assert [score.value for score in scores if "/length:" in score.scorer] == [0.5, 0.5, 1.5, 1.5]
    assert ask("score_read", score_id=scores[1].score_id).value == {"right": True, "words": 1}
    assert ask("score_delete", score_ids=[scores[0].score_id]).num_deleted == 1
    assert len(ask.listed("score_list", evaluation_run_id=runs[0])) == len(scores) - 1
    assert ask("prediction_delete", prediction_ids=[predictions[0].prediction_id]).num_deleted == 1
    assert len(ask.listed("prediction_list", evaluation_run_id=runs[0])) == len(predictions) - 1
    assert ask("evaluation_run_delete", evaluation_run_ids=runs).num_deleted == 2
    assert ask.listed("evaluation_run_list") == ask.listed("score_list") == []


def test_a_score_that_comes_after_its_run_counts(ask: Collections, runs: list[str], project: str) -> None:
    prediction = ask.listed("prediction_list", evaluation_run_id=runs[0])[-1]
    [scorer, *_] = ask.listed("scorer_list")
    ref = f"weave:///{project}/object/{scorer.object_id}:{scorer.digest}"
    ask("score_create", prediction_id=prediction.prediction_id, scorer=ref, value={"late": 3.5}, evaluation_run_id=runs[0])
    rows = assert_results_follow_from_calls(project, runs)
    scores = [trial["scores"] for trials in trials_by(rows, runs[0]) for trial in trials]
    assert [found[scorer.object_id] for found in scores if isinstance(found.get(scorer.object_id), dict)] == [{"late": 3.5}]


COLLECTIONS = [
    ("op", {"name": "Answer", "source_code": SCORE_CODE}, {"code": SCORE_CODE}),
    ("dataset", {"name": "Questions", "description": "All of them", "rows": ROWS}, {"name": "Questions", "description": "All of them"}),
    ("scorer", {"name": "Length", "op_source_code": SCORE_CODE}, {"name": "Length"}),
    ("model", {"name": "Sage", "source_code": MODEL_CODE, "attributes": {"heat": 0.5}}, {"source_code": MODEL_CODE, "attributes": {"heat": 0.5}}),
    ("evaluation", {"name": "Exam", "dataset": "a-dataset", "scorers": ["a-scorer"], "trials": 3}, {"dataset": "a-dataset", "trials": 3}),
]


@pytest.mark.parametrize(("kind", "request_", "fields"), COLLECTIONS, ids=[kind for kind, _, _ in COLLECTIONS])
def test_what_is_created_is_read_listed_and_deleted(ask: Collections, kind: str, request_: dict, fields: dict) -> None:
    created = ask(f"{kind}_create", **request_)
    assert (created.object_id, created.version_index) == (request_["name"].lower(), 0)
    assert ask(f"{kind}_create", **request_).digest == created.digest
    version = {"object_id": created.object_id, "digest": created.digest}
    read = ask(f"{kind}_read", **version)
    assert {name: getattr(read, name) for name in fields} == fields
    assert read.digest == created.digest
    listed = [item for item in ask.listed(f"{kind}_list") if item.object_id == created.object_id]
    assert [item.digest for item in listed] == [created.digest]
    assert ask(f"{kind}_delete", object_id=created.object_id, digests=[created.digest]).num_deleted == 1
    with pytest.raises(Exception, match="404|not found|deleted"):
        ask(f"{kind}_read", **version)
    assert [item for item in ask.listed(f"{kind}_list") if item.object_id == created.object_id] == []


def test_what_the_client_publishes_is_in_the_collections(ask: Collections) -> None:
    weave.publish(weave.Dataset(name="questions", rows=ROWS))
    weave.publish(weave.Evaluation(name="exam", dataset=weave.Dataset(name="questions", rows=ROWS), scorers=[], trials=2))
    assert [(dataset.object_id, dataset.name) for dataset in ask.listed("dataset_list")] == [("questions", "questions")]
    [evaluation] = ask.listed("evaluation_list")
    assert (evaluation.object_id, evaluation.trials) == ("exam", 2)
    assert f"/object/questions:{ask.listed('dataset_list')[0].digest}" in evaluation.dataset
