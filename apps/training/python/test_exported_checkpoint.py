"""The files of a checkpoint as an independent reader sees them, and back again."""

from __future__ import annotations

import asyncio
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import httpx
from conftest import Open
from safetensors.numpy import load_file
from started_server import API_KEY, SERVER_URL
from test_training_loop import group_of

KEY = {"Authorization": f"Bearer {API_KEY}"}


async def export(http: httpx.AsyncClient, model_id: str, folder: Path) -> tuple[bytes, dict[str, Any]]:
    archive = (await http.get(f"/v1/preview/models/{model_id}/checkpoints/1/archive")).raise_for_status().content
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    return archive, load_file(folder / "adapter_model.safetensors")


def test_an_adapter_is_read_by_another_library_and_is_the_same_after_an_import(open_model: Open, tmp_path: Path) -> None:
    async def work() -> None:
        async with open_model() as (model, backend), httpx.AsyncClient(base_url=SERVER_URL, headers=KEY) as http:
            await backend.train(model, [await group_of(model, [0, 1])], learning_rate=1e-3)
            archive, tensors = await export(http, str(model.id), tmp_path / "first")
            config = json.loads((tmp_path / "first" / "adapter_config.json").read_text())
            for name in config["target_modules"]:
                prefix = f"base_model.model.model.layers.0.{'self_attn' if name in ('q_proj', 'k_proj', 'v_proj', 'o_proj') else 'mlp'}.{name}"
                lora_a, lora_b = tensors[f"{prefix}.lora_A.weight"], tensors[f"{prefix}.lora_B.weight"]
                assert lora_a.shape[0] == lora_b.shape[1] == config["r"]
            assert all((abs(tensor) < 10).all() for tensor in tensors.values())

            fields = {"project": "training-tests", "name": f"{model.name}-copy", "base_model": "heddle-nano"}
            copy = (await http.post("/v1/preview/models", json=fields)).raise_for_status().json()["id"]
            headers = {"Content-Type": "application/gzip"}
            imported = await http.post(f"/v1/preview/models/{copy}/checkpoints", content=archive, headers=headers)
            assert imported.raise_for_status().json()["step"] == 1
            _, again = await export(http, copy, tmp_path / "second")
            assert again.keys() == tensors.keys()
            assert all((again[name] == tensor).all() for name, tensor in tensors.items())

    asyncio.run(work())
