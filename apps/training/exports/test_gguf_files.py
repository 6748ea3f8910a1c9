"""GGUF files hold the weights as the package of llama.cpp's converter rounds, names and arranges them."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
import pytest
from exported_models import TrainedModel
from gguf.quants import quantize
from safetensors.numpy import load_file

Tensors = dict[str, np.ndarray]
TYPES = {"f32": "F32", "f16": "F16", "bf16": "BF16", "q8_0": "Q8_0"}
# Written for llama.cpp alone, which computes scaled positions from it.
FACTORS = "rope_freqs.weight"

# Those of Mistral are of the first.
INTERLEAVED = ("llama", "smollm3")


def expected_tensors(folder: Path, architecture: str, config: dict[str, int]) -> Tensors:
    """The weights of a folder of safetensors by their names in GGUF."""
    architectures = {name: each for each, name in gguf.MODEL_ARCH_NAMES.items()}
    names = gguf.get_tensor_name_map(architectures[architecture], config["num_hidden_layers"])
    expected: Tensors = {}
    for name, tensor in load_file(folder / "model.safetensors").items():
        written = names.get_name(name, try_suffixes=(".weight", ".bias"))
        assert written is not None, name
        heads = {"q_proj": config["num_attention_heads"], "k_proj": config["num_key_value_heads"]}.get(name.split(".")[-2])
        expected[written] = interleaved(tensor, heads) if architecture in INTERLEAVED and heads else tensor
    return expected


def interleaved(tensor: np.ndarray, heads: int) -> np.ndarray:
    """Neighbouring numbers are rotated, where the weights of Transformers have the halves of a head."""
    return tensor.reshape(heads, 2, -1, *tensor.shape[1:]).swapaxes(1, 2).reshape(tensor.shape)


@pytest.mark.parametrize("numbers", TYPES)
def test_tensors_are_the_exact_weights_rounded(model: TrainedModel, numbers: str) -> None:
    reader = gguf.GGUFReader(model.export("gguf", numbers) / f"model-{numbers}.gguf")
    architecture = reader.fields["general.architecture"].contents()
    expected = expected_tensors(model.export("safetensors", "f32"), architecture, model.config)
    assert {tensor.name for tensor in reader.tensors} - {FACTORS} == expected.keys()
    for tensor in reader.tensors:
        if tensor.name == FACTORS:
            continue
        exact = expected[tensor.name]
        assert tensor.tensor_type.name == ("F32" if exact.ndim == 1 else TYPES[numbers]), tensor.name
        assert tensor.shape.tolist() == list(reversed(exact.shape)), tensor.name
        assert quantize(exact, tensor.tensor_type).tobytes() == tensor.data.tobytes(), tensor.name
