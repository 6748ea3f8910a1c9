"""Costs: prices that users add, and what calls cost by them."""

from __future__ import annotations

import datetime
from typing import Any

import weave


@weave.op
def ask(model: str) -> dict[str, Any]:
    return {"model": model, "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}}


def test_prices_are_added_found_and_purged(client: Any) -> None:
    added = client.add_cost(llm_id="our-model", prompt_token_cost=0.5, completion_token_cost=0.25, provider_id="us")
    client.add_cost(llm_id="other-model", prompt_token_cost=1, completion_token_cost=2, prompt_token_cost_unit="EUR")
    [(cost_id, model)] = added.ids
    assert model == "our-model"
    by_model = {cost.llm_id: cost for cost in client.query_costs()}
    assert set(by_model) == {"our-model", "other-model"}
    assert by_model["our-model"].id == cost_id
    assert by_model["our-model"].prompt_token_cost == 0.5
    assert by_model["our-model"].provider_id == "us"
    assert by_model["other-model"].prompt_token_cost_unit == "EUR"
    assert [cost.llm_id for cost in client.query_costs(llm_ids=["other-model"])] == ["other-model"]
    assert len(client.query_costs(limit=1)) == 1
    client.purge_costs(cost_id)
    assert [cost.llm_id for cost in client.query_costs()] == ["other-model"]


def test_calls_cost_what_the_prices_say(client: Any) -> None:
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
    client.add_cost(llm_id="our-model", prompt_token_cost=0.5, completion_token_cost=0.25, effective_date=long_ago)
    ask("our-model")
    ask("unknown-model")
    client.flush()
    known, unknown = client.get_calls(include_costs=True)
    cost = known.summary["weave"]["costs"]["our-model"]
    assert (cost["prompt_tokens_total_cost"], cost["completion_tokens_total_cost"]) == (5, 0.5)
    assert cost["pricing_level"] == "project"
    assert "costs" not in unknown.summary["weave"]
    assert unknown.summary["usage"]["unknown-model"]["prompt_tokens"] == 10
    assert all("costs" not in call.summary["weave"] for call in client.get_calls())


def test_costs_and_feedback_are_read_together(client: Any) -> None:
    client.add_cost(llm_id="our-model", prompt_token_cost=0.5, completion_token_cost=0.25)
    _, call = ask.call("our-model")
    client.flush()
    client.get_call(call.id).feedback.add_note("dear")
    client.flush()
    [found] = client.get_calls(include_costs=True, include_feedback=True)
    weave_part = found.summary["weave"]
    assert list(weave_part["costs"]) == ["our-model"]
    assert [row["payload"] for row in weave_part["feedback"]] == [{"note": "dear"}]
