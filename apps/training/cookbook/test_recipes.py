"""Recipes of the cookbook of the Tinker API run unchanged on the embedded engine, with the parameters of their command lines alone."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest
from conftest import MODEL, Workplace, sums
from heddle_process import Heddle

PAGE = (Path(__file__).parents[3] / "docs" / "tinker-api.md").read_text()
SMALL = {"lora_rank": 8, "learning_rate": 3e-3}


def mean(metrics: list[dict[str, float]], name: str) -> float:
    return sum(step[name] for step in metrics) / len(metrics)


def test_the_recipes_of_the_documentation_teach_a_model_and_reinforce_what_it_learned(workplace: Workplace, heddle: Heddle) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.S)
    (setup,) = [block for block in blocks if "pip install" in block and "cookbook" in block]
    assert f'"tinker-cookbook[math-rl]=={version("tinker-cookbook")}"' in setup
    (program,) = [block for block in blocks if "tinker_cookbook.recipes" in block]
    workplace.write_lines("sums.jsonl", sums(128))
    (workplace.folder / "meta-llama" / "Llama-3.2-1B").unlink()
    workplace.run("bash", "-euc", program)
    taught = workplace.metrics("runs/sl")
    assert taught[-1]["train_mean_nll"] < 0.1 * taught[0]["train_mean_nll"]
    reinforced = workplace.metrics("runs/rl")
    assert 1 - mean(reinforced[-2:], "env/all/format") < 0.7 * (1 - mean(reinforced[:2], "env/all/format"))
    headers = {"x-api-key": f"tml-{heddle.key}"}
    runs = httpx.get(f"{heddle.url}/api/v1/training_runs?limit=1000", headers=headers).json()["training_runs"]
    assert [run["base_model"] for run in runs[:2]] == [MODEL, MODEL]
    body = {"model": runs[0]["heddle_model"], "messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}
    chat = httpx.post(f"{heddle.url}/v1/chat/completions", json=body, headers=headers, timeout=60)
    assert chat.json()["usage"]["completion_tokens"] == 1


def test_loops_over_data_of_the_hub_find_it_in_folders_of_the_same_names(workplace: Workplace) -> None:
    workplace.write_lines("HuggingFaceH4/no_robots/train.jsonl", sums(64))
    taught = workplace.recipe("sl_loop", "sl-loop", batch_size=16, max_length=128, **SMALL)
    assert taught[-1]["train_mean_nll"] < 0.9 * taught[0]["train_mean_nll"]
    workplace.write_lines("openai/gsm8k/train.jsonl", ({"question": f"{at}+{at}=", "answer": f"#### {2 * at}"} for at in range(8)))
    front = "---\nconfigs:\n- config_name: main\n  data_files:\n  - split: train\n    path: train.jsonl\n---\n"
    (workplace.folder / "openai/gsm8k/README.md").write_text(front)
    rewarded = workplace.recipe("rl_loop", "rl-loop", batch_size=4, group_size=4, max_tokens=16, **SMALL)
    assert [0 <= step["reward/total"] <= 1 for step in rewarded] == [True, True]


def test_basic_recipes_take_a_file_or_problems_that_are_made_up_as_their_data(workplace: Workplace) -> None:
    workplace.write_lines("sums.jsonl", sums(64))
    names = {"model_name_for_tokenizer": MODEL, "renderer_name": "role_colon"}
    common = {f"dataset_builder.common_config.{name}": value for name, value in {**names, "batch_size": 16, "max_length": 128}.items()}
    from_file = {
        "dataset_builder": "tinker_cookbook.supervised.data:FromConversationFileBuilder",
        "dataset_builder.file_path": "sums.jsonl",
        **common,
    }
    taught = workplace.recipe("sl_basic", "sl-basic", **from_file, **SMALL)
    assert taught[-1]["train_mean_nll"] < 0.9 * taught[0]["train_mean_nll"]
    sizes = {"batch_size": 4, "group_size": 4, "n_batches": 2}
    made_up = {
        "dataset_builder": "tinker_cookbook.recipes.math_rl.arithmetic_env:ArithmeticDatasetBuilder",
        **{f"dataset_builder.{name}": value for name, value in {**names, **sizes}.items()},
    }
    rewarded = workplace.recipe("rl_basic", "rl-basic", max_tokens=8, **made_up, **SMALL)
    assert [step["env/all/total_episodes"] for step in rewarded] == [16, 16]


def test_a_loss_that_is_not_computed_here_ends_a_recipe_by_its_name(workplace: Workplace) -> None:
    given = {"env": "arithmetic", "group_size": 4, "groups_per_batch": 2, "max_tokens": 4, "max_steps": 1, "eval_every": 0}
    with pytest.raises(AssertionError, match=r'loss_fn \\*"stable_reinforce\\*" is not computed here'):
        workplace.recipe("math_rl.train", "refused", loss_fn="stable_reinforce", **given, **SMALL)


def test_a_model_that_the_server_has_not_ends_a_recipe_with_those_that_it_has(workplace: Workplace) -> None:
    (workplace.folder / "meta-llama/Llama-3.2-3B").symlink_to(workplace.folder / "meta-llama/Llama-3.2-1B")
    workplace.write_lines("sums.jsonl", sums(16))
    with pytest.raises(AssertionError, match=r"Llama-3\.2-3B.* is not a base model; this server has .*Llama-3\.2-1B"):
        workplace.recipe("chat_sl.train", "refused", model_name="meta-llama/Llama-3.2-3B", dataset="sums.jsonl", batch_size=16, max_length=128)
