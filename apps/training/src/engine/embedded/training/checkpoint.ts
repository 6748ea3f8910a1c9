import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toAdapterFile } from '../../../checkpoint-files/adapter-config.ts'
import { toConfigFile } from '../../../checkpoint-files/config-file.ts'
import { writeSafetensorsInParts } from '../../../checkpoint-files/safetensors.ts'
import { syncPath } from '../../../checkpoint-files/sync-path.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import { partedTensorOf } from '../model/model-weights.ts'
import type { Work } from '../work.ts'
import type { TrainedModel } from './trained-model.ts'

/** Writes the weights as other tools load them: a PEFT adapter, or a whole model with its `config.json`. Files and folder are synced. Yields after each block. */
export function* writeCheckpoint(
  memory: KernelMemory,
  { model, adapter, trainable }: TrainedModel,
  target: { folder: string; baseModel: string },
): Work<void> {
  const { folder, baseModel } = target
  const tensors = trainable.map((parameter) => partedTensorOf(memory, parameter))
  if (adapter) {
    yield* writeSafetensorsInParts(join(folder, 'adapter_model.safetensors'), tensors)
    writeJson(join(folder, 'adapter_config.json'), toAdapterFile(adapter, baseModel))
  } else {
    yield* writeSafetensorsInParts(join(folder, 'model.safetensors'), tensors)
    writeJson(join(folder, 'config.json'), toConfigFile(model.config))
  }
  syncPath(folder)
}

export function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  syncPath(path)
}
