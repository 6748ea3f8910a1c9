import { BaseModelError, defaultTrainingThreads, estimateMemory, listBaseModels, shippedModelsFolder } from '@heddle/training'
import { type MemoryLimit, readMemoryLimit } from '@heddle/datastore/memory'
import { planModelMemory } from '../process/memory-plan.ts'
import type { Configuration } from '../settings/configuration.ts'
import { maxTrainingMemoryBytes } from '../settings/settings.ts'
import { formatBytes } from '../terminal/measures.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

/** Most conversations are no longer; the full context of a model may take many times the memory, and few train on it. */
const usualTokens = 1_024

/** Looks at each folder of a model to train from: one finding with those that can be used and their memory, and one for each that cannot. */
export async function checkBaseModels(
  {
    baseModelsDir,
    trainingMemoryBytes: configured,
    trainingThreads: threads = defaultTrainingThreads(),
  }: Pick<Configuration, 'baseModelsDir' | 'trainingMemoryBytes' | 'trainingThreads'>,
  { shipped = shippedModelsFolder, limit = readMemoryLimit() }: { shipped?: string; limit?: Pick<MemoryLimit, 'bytes'> } = {},
): Promise<Finding[]> {
  const trainingMemoryBytes = planModelMemory(limit, { trainingMemoryBytes: configured })
  try {
    const { models, refused } = await listBaseModels({ shipped, own: baseModelsDir ?? null })
    const needs = models.map((model) => {
      const { weights, adapter, training } = estimateMemory(model, { threads, tokens: usualTokens })
      return { id: model.id, toServe: weights + adapter, toTrain: weights + adapter + training }
    })
    const listed = needs.map(
      ({ id, toServe, toTrain }) =>
        `${id} (${formatBytes(toServe)} to serve, ${formatBytes(toTrain)} to train on sequences of up to ${usualTokens} tokens)`,
    )
    return [
      listed.length > 0 ? ok('Base models', listed.join(', ')) : failure('Base models', 'none', 'reinstall: one comes with the package'),
      ...needs
        .filter(({ toTrain }) => toTrain > trainingMemoryBytes)
        .map(({ id, toTrain }) =>
          warning(
            'Base models',
            `${id} takes ${formatBytes(toTrain)} to train on sequences of up to ${usualTokens} tokens, and models have ${formatBytes(trainingMemoryBytes)}`,
            toTrain <= maxTrainingMemoryBytes
              ? `set HEDDLE_TRAINING_MEMORY_BYTES to ${Math.ceil(toTrain)} or more, lower HEDDLE_TRAINING_THREADS, or train it on another server`
              : `lower HEDDLE_TRAINING_THREADS, or train it on another server: HEDDLE_TRAINING_MEMORY_BYTES is at most ${maxTrainingMemoryBytes}`,
          ),
        ),
      ...refused.map(({ folder, reason }) => warning('Base models', reason, `change or remove ${folder}: it cannot be trained`)),
    ]
  } catch (error) {
    if (!(error instanceof BaseModelError)) throw error
    return [failure('Base models', error.message, 'create the folder, or unset HEDDLE_BASE_MODELS_DIR')]
  }
}
