"""Chat templates are rendered as Transformers renders them, byte for byte: those of public models, and small ones by chance."""

import os
import random

import pytest
from conversations import cases
from heddle import ask
from random_templates import VALUES
from random_templates import cases as random_cases
from reference import render, with_arguments_as_text
from template_packages import templates

TOKENS = {"bos_token": "<s>", "eos_token": "</s>"}
RANDOM_TEMPLATES = int(os.environ.get("HEDDLE_TEST_TEMPLATES", "10000"))

# What the templates do with calls of tools. All others write calls in another form than a name with arguments in JSON, or none.
CALLS = {
    "trl/llama3_1.jinja": ("object", None, None),
    "trl/llama3_2.jinja": ("object", None, None),
    "trl/qwen2_5.jinja": ("object", "\n", None),
    "trl/qwen3.jinja": ("object", "\n", None),
    "axolotl/mistral_v2v3.jinja": ("object", ", ", 9),
    "llama-cpp-python/mistralai-Mistral-Nemo-Instruct-2407.jinja": ("object", ", ", 9),
    "llama-cpp-python/Mistral-Small-3.2-24B-Instruct-2506.jinja": ("apart", "", 9),
    "llama-cpp-python/NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja": ("object", "\n", None),
    "llama-cpp-python/deepseek-ai-DeepSeek-V3.1.jinja": ("apart", "", None),
    "llama-cpp-python/meetkai-functionary-medium-v3.1.jinja": ("apart", "", None),
    "llama-cpp-python/moonshotai-Kimi-K2.jinja": ("apart", None, None),
    "llama-cpp-python/HuggingFaceTB-SmolLM3-3B.jinja": "writes no calls",
    "llama-cpp-python/GLM-4.6.jinja": "writes calls in another form than a name with arguments in JSON",
    "trl/gemma3.jinja": "writes no calls",
}


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packages")
    sources = templates(folder)
    all_cases = list(cases())
    sent = [{**case, "messages": with_arguments_as_text(case["messages"])} for case in all_cases]
    answers = ask({"kind": "chats", "templates": [{"source": source, "tokens": TOKENS} for source in sources.values()], "cases": sent}, folder)
    return sources, all_cases, dict(zip(sources, answers, strict=True))


def test_prompts_of_public_templates(public):
    sources, all_cases, answers = public
    assert len(sources) > 100
    compared = 0
    for name, source in sources.items():
        for place, case in enumerate(all_cases):
            expected = render(source, case, TOKENS, answers[name]["takesText"])
            written = answers[name]["texts"][place]
            assert written == expected, f"{name}, conversation {place}"
            compared += expected is not None
    assert compared > 8_000


def test_calls_of_public_templates(public):
    answers = public[2]
    for name, expected in CALLS.items():
        calls = answers[name]["calls"]
        found = calls if isinstance(calls, str) else (calls["form"], calls["separator"], calls["idLength"])
        assert found == expected, name


def test_templates_by_chance(tmp_path):
    seed = random.randrange(2**32)
    expected = list(random_cases(RANDOM_TEMPLATES, seed))
    written = ask({"kind": "values", "values": VALUES, "templates": [template for template, _ in expected]}, tmp_path)
    differing = [(template, text, own) for (template, text), own in zip(expected, written, strict=True) if text != own]
    # Known to differ, and in no public template: the text of a Markup within a list after `lower` or `capitalize`, addresses of objects that a filter
    # rewrote, `range.index`, `urlencode` of a list, `int | selectattr`, and `+x` in a test of a negated condition.
    assert len(differing) <= RANDOM_TEMPLATES // 1000, f"seed {seed}: {differing[:20]}"
