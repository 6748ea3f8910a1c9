import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ModelFileError } from '../../../checkpoint-files/model-file-error.ts'
import { writeSafetensorsInParts } from '../../../checkpoint-files/safetensors.ts'
import { openTensorFiles } from '../../../checkpoint-files/tensor-files.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import { partedTensorOf } from '../model/model-weights.ts'
import { blocksOfRows, fillPanels } from '../model/panels.ts'
import type { Parameter } from '../model/parameters.ts'
import { syncPath } from '../../../checkpoint-files/sync-path.ts'
import type { Work } from '../work.ts'
import { writeJson } from './checkpoint.ts'
import type { TrainedModel } from './trained-model.ts'
import type { Trainer } from './trainer.ts'

const stem = 'training_state'
const StateFile = z.object({
  version: z.literal(1),
  steps: z.number().int().nonnegative(),
  /** The kernels that computed it: different kernels round differently. */
  kernels: z.enum(['plain', 'relaxed']),
})

/** Weights and moments of each parameter that is trained. */
function* listStates(trained: TrainedModel): Generator<{ name: string; parameter: Parameter; address: Address }> {
  for (const parameter of trained.trainable) {
    const { name, address, gradientOffset } = parameter
    yield { name, parameter, address }
    yield { name: `${name}.first_moment`, parameter, address: trained.firstMoments + gradientOffset }
    yield { name: `${name}.second_moment`, parameter, address: trained.secondMoments + gradientOffset }
  }
}

/** Writes what an exact continuation needs into a folder that is empty; gradients that were not applied are not part of it. Files and folder are synced. Yields after each block. */
export function* writeTrainingState(memory: KernelMemory, { trained, steps }: Trainer, folder: string): Work<void> {
  const tensors = Array.from(listStates(trained), ({ name, parameter, address }) => ({
    ...partedTensorOf(memory, parameter, address),
    name,
  }))
  yield* writeSafetensorsInParts(join(folder, `${stem}.safetensors`), tensors)
  writeJson(join(folder, `${stem}.json`), { version: 1, steps, kernels: memory.set } satisfies z.output<typeof StateFile>)
  syncPath(folder)
}

/** Puts back what `writeTrainingState` wrote; returns the number of steps. Yields after each block. @throws ModelFileError */
export function* readTrainingState(memory: KernelMemory, trained: TrainedModel, folder: string): Work<number> {
  const { steps } = parseState(join(folder, `${stem}.json`))
  const files = openTensorFiles(folder, stem)
  try {
    for (const { name, parameter, address } of listStates(trained)) {
      for (const { first, count } of blocksOfRows(parameter)) {
        const rows = files.readRows(name, parameter.shape, { from: first, to: first + count })
        fillPanels(parameter, rows, memory.floats(address, parameter.length), first)
        yield
      }
    }
  } finally {
    files.close()
  }
  return steps
}

function parseState(path: string): z.output<typeof StateFile> {
  try {
    return StateFile.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new ModelFileError('damaged', `${path} is not a training state, or was written by another version`, { cause: error })
  }
}
