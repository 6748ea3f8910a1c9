import {
  BaseModelError,
  defaultTrainingThreads,
  estimateMemory,
  listBaseModels,
  listRemoteModels,
  type RefusedFolder,
  shippedModelsFolder,
} from '@heddle/training'
import { type MemoryLimit, readMemoryLimit } from '@heddle/datastore/memory'
import { planModelMemory } from '../process/memory-plan.ts'
import type { Configuration } from '../settings/configuration.ts'
import { runsModels } from '../settings/runs-models.ts'
import { maxTrainingMemoryBytes } from '../settings/settings.ts'
import { formatBytes } from '../terminal/measures.ts'
import { failure, type Finding, ok, warning } from './finding.ts'

/** Most conversations are no longer; the full context of a model may take many times the memory, and few train on it. */
const usualTokens = 1_024

type Settings = Pick<
  Configuration,
  'baseModelsDir' | 'trainingMemoryBytes' | 'trainingThreads' | 'trainingEngineUrl' | 'trainingLauncherFile'
>

interface Machine {
  shipped?: string
  limit?: Pick<MemoryLimit, 'bytes'>
}

/**
 * Looks at each folder of a model to train from: one finding with those that can be used and their memory on this machine, unless a training server has
 * their weights, and one for each that cannot.
 */
export async function checkBaseModels(settings: Settings, machine: Machine = {}): Promise<Finding[]> {
  try {
    return await (runsModels(settings) ? checkHere : checkRemote)(settings, machine)
  } catch (error) {
    if (!(error instanceof BaseModelError)) throw error
    return [failure('Base models', error.message, 'create the folder, or unset HEDDLE_BASE_MODELS_DIR')]
  }
}

async function checkRemote({ baseModelsDir }: Settings, { shipped = shippedModelsFolder }: Machine): Promise<Finding[]> {
  const { models, refused } = await listRemoteModels({ shipped, own: baseModelsDir ?? null })
  return [listed(models.map(({ id }) => `${id} (weights on the training server)`)), ...refused.map(toWarning)]
}

async function checkHere(
  { baseModelsDir, trainingMemoryBytes: configured, trainingThreads: threads = defaultTrainingThreads() }: Settings,
  { shipped = shippedModelsFolder, limit = readMemoryLimit() }: Machine,
): Promise<Finding[]> {
  const trainingMemoryBytes = planModelMemory(limit, { trainingMemoryBytes: configured })
  const { models, refused } = await listBaseModels({ shipped, own: baseModelsDir ?? null })
  const needs = models.map((model) => {
    const { weights, adapter, training } = estimateMemory(model, { threads, tokens: usualTokens })
    return { id: model.id, toServe: weights + adapter, toTrain: weights + adapter + training }
  })
  const described = needs.map(
    ({ id, toServe, toTrain }) =>
      `${id} (${formatBytes(toServe)} to serve, ${formatBytes(toTrain)} to train on sequences of up to ${usualTokens} tokens)`,
  )
  return [
    listed(described),
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
    ...refused.map(toWarning),
  ]
}

const listed = (models: readonly string[]) =>
  models.length > 0 ? ok('Base models', models.join(', ')) : failure('Base models', 'none', 'reinstall: one comes with the package')

const toWarning = ({ folder, reason }: RefusedFolder) => warning('Base models', reason, `change or remove ${folder}: it cannot be trained`)
