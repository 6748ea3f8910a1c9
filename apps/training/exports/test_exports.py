"""Exports of trained models answer in Transformers, PEFT and llama.cpp as they do in Heddle."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from exported_models import TrainedModel
from heddle_client import BASE_MODEL
from peft import PeftModel
from programs import MEASURED, Answers, LlamaCpp, load_transformers, torch_answers
from safetensors.torch import load_file
from texts import CHATS, CONVERSATIONS, DECOMPOSED, TEXTS

# Texts for answers of llama.cpp in other formats than F32, since it takes a request for each token.
FEW = 6
# llama.cpp does not compose characters, as the tokenizers of Qwen do, and splits marks from their letters where that of Mistral Nemo does not.
SPLIT_OTHERWISE = {"mistral": [DECOMPOSED, "नमस्ते"], "qwen2": [DECOMPOSED], "qwen3": [DECOMPOSED]}


def difference(of: Answers, than: Answers) -> tuple[float, float]:
    """The largest and the mean difference of two lists of log-probabilities."""
    differences = np.abs(np.concatenate(of) - np.concatenate(than))
    return float(differences.max()), float(differences.mean())


def last(answers: Answers) -> Answers:
    """Of the tokens that llama.cpp is asked about."""
    return [values[-MEASURED:] for values in answers]


def assert_close(of: Answers, than: Answers, largest: float, mean: float) -> None:
    found = difference(of, than)
    print(f"log-probabilities differ by {found[0]:.2g} at most, {found[1]:.2g} in the mean")
    assert found[0] < largest
    assert found[1] < mean


def test_training_has_changed_the_answers(model: TrainedModel) -> None:
    assert difference(model.answers, model.untrained)[0] > 0.05


def test_heddle_transformers_and_llama_cpp_make_the_same_prompts_of_the_template(model: TrainedModel) -> None:
    llama = LlamaCpp(model.export("gguf", "f32") / "model-f32.gguf", model.config["vocab_size"])
    for chat, tokens in zip(CHATS, model.texts, strict=True):
        [choice] = model.client.chat(model.id, chat[0]["content"], return_token_ids=True, max_tokens=1)
        assert choice["prompt_token_ids"] == tokens
        assert llama.render(chat) == model.tokenizer.apply_chat_template(chat, add_generation_prompt=True, tokenize=False)


def test_transformers_answers_equally_with_merged_weights(model: TrainedModel) -> None:
    loaded = load_transformers(model.export("safetensors", "f32"))
    assert_close(torch_answers(loaded, model.texts), model.answers, largest=1e-3, mean=1e-4)


def test_peft_answers_equally_with_the_adapter_on_the_base_model(model: TrainedModel) -> None:
    loaded = PeftModel.from_pretrained(load_transformers(model.base), model.export("peft", "f32")).eval()
    assert_close(torch_answers(loaded, model.texts), model.answers, largest=1e-3, mean=1e-4)


@pytest.mark.parametrize(("numbers", "dtype"), [("bf16", torch.bfloat16), ("f16", torch.float16)])
def test_shorter_numbers_are_the_exact_weights_rounded(model: TrainedModel, numbers: str, dtype: torch.dtype) -> None:
    exact = load_file(model.export("safetensors", "f32") / "model.safetensors")
    folder = model.export("safetensors", numbers)
    rounded = load_file(folder / "model.safetensors")
    assert rounded.keys() == exact.keys()
    for name, tensor in rounded.items():
        assert torch.equal(tensor, exact[name].to(dtype)), name
    assert load_transformers(folder).config.model_type == model.config["model_type"]


def test_llama_cpp_answers_equally_in_f32(model: TrainedModel) -> None:
    llama = LlamaCpp(model.export("gguf", "f32") / "model-f32.gguf", model.config["vocab_size"])
    assert_close(llama.answers(model.texts), last(model.answers), largest=1e-3, mean=1e-4)


# llama.cpp rounds what it multiplies with such weights, too: to F16, or to 8 bits.
@pytest.mark.parametrize(("numbers", "largest", "mean"), [("f16", 0.1, 0.01), ("q8_0", 1.5, 0.25)])
def test_llama_cpp_answers_nearly_equally_in_shorter_numbers(model: TrainedModel, numbers: str, largest: float, mean: float) -> None:
    llama = LlamaCpp(model.export("gguf", numbers) / f"model-{numbers}.gguf", model.config["vocab_size"])
    assert_close(llama.answers(model.texts[:FEW]), last(model.answers[:FEW]), largest, mean)


def test_llama_cpp_splits_texts_equally_but_for_marks_that_it_does_not_compose(model: TrainedModel) -> None:
    llama = LlamaCpp(model.export("gguf", "f32") / "model-f32.gguf", model.config["vocab_size"])
    differing = [text for text in TEXTS if llama.tokenize(text) != model.tokenizer.encode(text, add_special_tokens=False)]
    assert differing == SPLIT_OTHERWISE.get(model.base.name, [])


def test_llama_cpp_chats_with_the_template_of_the_export(model_of: Callable[[str], TrainedModel]) -> None:
    model = model_of(BASE_MODEL.name)
    llama = LlamaCpp(model.export("gguf", "f32") / "model-f32.gguf", model.config["vocab_size"])
    for question, taught in CONVERSATIONS:
        [choice] = model.client.chat(model.id, question["content"], temperature=0, max_tokens=12)
        assert choice["message"]["content"] == taught["content"]
        assert llama.chat(question["content"], 12) == taught["content"]
