"""
Records what Transformers computes with tiny random models of each family: log-probabilities of sequences, and gradients of every weight.

Run with torch 2.15, transformers 5.24 and safetensors 0.8 in this folder: python families.py
"""

import json
import shutil
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, LlamaConfig, MistralConfig, Qwen2Config, Qwen3Config, SmolLM3Config

FOLDER = Path(__file__).parent / "families"
VOCABULARY = 40
# Beyond a block of the attention, one row of the kernels, and fewer than a tile has.
LENGTHS = [60, 9, 3]

SHAPE = {
    "vocab_size": VOCABULARY,
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 128,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": None,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 32,
}

MODELS = {
    "llama": (LlamaConfig(**SHAPE, head_dim=8), torch.float32),
    "llama-biased": (LlamaConfig(**SHAPE, head_dim=8, attention_bias=True, mlp_bias=True), torch.float32),
    "llama-3": (
        LlamaConfig(**SHAPE, head_dim=16, rms_norm_eps=1e-5, rope_parameters=LLAMA3, tie_word_embeddings=True),
        torch.float32,
    ),
    "mistral": (MistralConfig(**SHAPE, head_dim=24, sliding_window=64), torch.float32),
    "qwen2": (Qwen2Config(**{**SHAPE, "hidden_size": 32}, tie_word_embeddings=True), torch.bfloat16),
    "qwen3": (Qwen3Config(**SHAPE, head_dim=24, tie_word_embeddings=True), torch.float16),
    "smollm3": (SmolLM3Config(**{**SHAPE, "num_attention_heads": 2, "num_key_value_heads": 1, "num_hidden_layers": 4}), torch.float32),
}


def fill(model, generator, dtype):
    """Numbers on which every part of the computation shows, that the format of the file holds."""
    for name, weight in model.named_parameters():
        normal = torch.randn(weight.shape, generator=generator)
        if name.endswith("norm.weight"):
            values = 1 + 0.3 * normal
        elif name.endswith(".bias"):
            values = 0.5 * normal
        elif "_proj" in name:
            values = normal * weight.shape[1] ** -0.5
        else:
            values = 0.5 * normal
        weight.data = values.to(dtype).float()


def record(name, config, dtype):
    generator = torch.Generator().manual_seed(7)
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager", dtype=torch.float32)
    fill(model, generator, dtype)
    sequences, loss = [], 0
    for length in LENGTHS:
        tokens = torch.randint(VOCABULARY, (length,), generator=generator)
        coefficients = torch.randn(length - 1, generator=generator)
        logits = model(tokens[None]).logits[0, :-1]
        chosen = torch.log_softmax(logits, -1).gather(1, tokens[1:, None])[:, 0]
        loss = loss + (coefficients * chosen).sum()
        sequences.append(
            {"tokens": tokens.tolist(), "coefficients": coefficients.tolist(), "log_probabilities": chosen.tolist()}
        )
    loss.backward()

    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    gradients = {name: weight.grad.clone() for name, weight in model.named_parameters()}
    model.to(dtype).save_pretrained(folder, max_shard_size="8KB" if name == "qwen2" else "1GB")
    (folder / "generation_config.json").unlink(missing_ok=True)
    save_file(gradients, folder / "gradients.safetensors")
    (folder / "expected.json").write_text(json.dumps(sequences) + "\n")


for name, (config, dtype) in MODELS.items():
    record(name, config, dtype)
