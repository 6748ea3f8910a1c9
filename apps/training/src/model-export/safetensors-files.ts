import { expectedTensors } from '../base-models/expected-tensors.ts'
import type { FloatFormat } from '../checkpoint-files/float-formats.ts'
import { encodeSafetensorsHeader } from '../checkpoint-files/safetensors.ts'
import { encodeTensor, type ExportedFile, tensorBytes } from './exported-file.ts'
import type { MergedWeights } from './merged-weights.ts'

/** `model.safetensors` with every weight in one format. */
export function safetensorsFile(weights: MergedWeights, format: FloatFormat): ExportedFile {
  const tensors = expectedTensors(weights.config).map((tensor) => ({ ...tensor, format }))
  const header = encodeSafetensorsHeader(tensors)
  return {
    name: 'model.safetensors',
    sizeBytes: tensors.reduce((sum, tensor) => sum + tensorBytes(tensor), header.length),
    *content() {
      yield header
      for (const tensor of tensors) yield* encodeTensor(weights, tensor)
    },
  }
}

const torchNames: Readonly<Record<FloatFormat, string>> = { F32: 'float32', BF16: 'bfloat16', F16: 'float16' }

/** `config.json` of the base model, with the format of the weights next to it. */
export function toExportedConfig(config: Record<string, unknown>, format: FloatFormat): Record<string, unknown> {
  const { torch_dtype: _older, dtype: _newer, ...rest } = config
  return { ...rest, torch_dtype: torchNames[format] }
}
