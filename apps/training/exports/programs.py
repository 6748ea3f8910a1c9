"""What other programs answer with an export: the log-probability of each token of a text after its first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import numpy as np
import torch
import xllamacpp
from transformers import AutoModelForCausalLM

Tokens = list[int]
Answers = list[np.ndarray]

MEASURED = 40
"""Tokens at the end of a text whose log-probabilities are asked of llama.cpp."""


def load_transformers(folder: Path) -> Any:
    """The model with its weights as F32, whatever they are stored as."""
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()


def torch_answers(model: Any, texts: list[Tokens]) -> Answers:
    answers = []
    with torch.inference_mode():
        for tokens in texts:
            logits = model(torch.tensor([tokens])).logits[0, :-1]
            after = torch.tensor(tokens[1:])[:, None]
            answers.append(torch.log_softmax(logits, dim=-1).gather(1, after)[:, 0].numpy())
    return answers


class LlamaCpp:
    """The server of llama.cpp. It computes in F32 where it can: without flash attention, and with keys and values in F32, which are F16 by default."""

    def __init__(self, file: Path, vocabulary: int) -> None:
        params = xllamacpp.CommonParams()
        params.model.path = str(file)
        params.n_gpu_layers = 0
        params.n_parallel = 1
        params.cpuparams.n_threads = 2
        params.warmup = False
        params.verbosity = 0
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
        params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        self.server = xllamacpp.Server(params)
        self.vocabulary = vocabulary

    def answers(self, texts: list[Tokens]) -> Answers:
        """Of the last tokens of each text: the server has no log-probabilities of a prompt, so each of them is a request for those of all tokens that may follow."""
        return [np.array([self.next(tokens[:end])[tokens[end]] for end in range(max(1, len(tokens) - MEASURED), len(tokens))]) for tokens in texts]

    def next(self, tokens: Tokens) -> dict[int, float]:
        # The bias does not change what is reported, but there is nothing to report about a part of a character or an end of text.
        asked = {"prompt": tokens, "n_predict": 1, "n_probs": self.vocabulary, "logit_bias": [["a", 1000]]}
        [choice] = self.server.handle_completions(asked)["choices"]
        return {entry["id"]: entry["logprob"] for entry in choice["logprobs"]["content"][0]["top_logprobs"]}

    def chat(self, prompt: str, tokens: int) -> str:
        asked = {"messages": [{"role": "user", "content": prompt}], "max_tokens": tokens, "temperature": 0.0}
        return str(self.server.handle_chat_completions(asked)["choices"][0]["message"]["content"])

    def tokenize(self, text: str) -> Tokens:
        return list(self.post("tokenize", {"content": text, "add_special": False, "parse_special": True})["tokens"])

    def render(self, messages: list[dict[str, str]]) -> str:
        """The prompt that the template makes, with the date that Llama 3.1 has in it where a program names none, as llama.cpp does."""
        arguments = {"date_string": "26 Jul 2024"}
        return str(self.post("apply-template", {"messages": messages, "chat_template_kwargs": arguments})["prompt"])

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answered = httpx.post(f"{self.server.listening_address}/{path}", json=body, timeout=60)
        return dict(answered.raise_for_status().json())
