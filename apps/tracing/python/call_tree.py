"""Reads recorded calls as the tree that they were."""

from __future__ import annotations

from typing import Any


def short_name(call: Any) -> str:
    """`weave:///entity/project/op/name:digest` gives `name`."""
    return call.op_name.rsplit("/", 1)[-1].split(":")[0]


def tree(calls: list[Any], parent_id: str | None = None) -> list[Any]:
    """Names of calls and, nested, of what they called."""
    return [(short_name(call), tree(calls, call.id)) for call in calls if call.parent_id == parent_id]
