import {
  BaseModelError,
  type BaseModelList,
  createEmbeddedEngine,
  createTinkerEngine,
  type Engine,
  listBaseModels,
  shippedModelsFolder,
} from '@heddle/training'
import type { Outgoing } from '@heddle/outgoing'
import type { Configuration } from '../settings/configuration.ts'
import { modelEngineEntry } from './process/child-entries.ts'
import type { ServerLog } from './server-log.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface TrainingEngineParts {
  configuration: Pick<
    Configuration,
    'baseModelsDir' | 'trainingEngineUrl' | 'trainingEngineApiKey' | 'trainingMemoryBytes' | 'trainingThreads'
  >
  logger: ServerLog
  outgoing: Outgoing
}

/**
 * The engine that serves the base models: the configured training server, else a local process. An invalid model folder is logged, and
 * stops nothing. @throws UsageError
 */
export function openTrainingEngine({ configuration, logger, outgoing }: TrainingEngineParts): Engine {
  const { models, refused } = listModels(configuration)
  for (const { folder: path, reason } of refused) logger.warn({ path, reason }, 'this folder of a base model cannot be used')
  const {
    trainingEngineUrl: url,
    trainingEngineApiKey: apiKey = null,
    trainingMemoryBytes: memoryBytes,
    trainingThreads: threads,
  } = configuration
  if (url !== undefined) return createTinkerEngine({ outgoing, url, apiKey, baseModels: models })
  return createEmbeddedEngine({
    entry: modelEngineEntry,
    baseModels: models,
    memoryBytes,
    ...(threads !== undefined && { threads }),
    onRestart: (event) => logger.warn(event, 'restarted the engine of models'),
  })
}

function listModels({ baseModelsDir }: Pick<Configuration, 'baseModelsDir'>): BaseModelList {
  try {
    return listBaseModels({ shipped: shippedModelsFolder, own: baseModelsDir ?? null })
  } catch (error) {
    if (error instanceof BaseModelError) throw new UsageError(`HEDDLE_BASE_MODELS_DIR: ${error.message}`)
    throw error
  }
}
