import { join } from 'node:path'
import {
  type BaseModel,
  BaseModelError,
  type BaseModelList,
  createEmbeddedEngine,
  createLaunchedEngine,
  createSampledEngine,
  createTinkerEngine,
  type Engine,
  listBaseModels,
  listRemoteModels,
  type NativeChoice,
  NativeLibraryError,
  shippedModelsFolder,
  tryNativeLibrary,
} from '@heddle/training'
import { readMemoryLimit } from '@heddle/datastore/memory'
import { createSecretMask, type Outgoing } from '@heddle/outgoing'
import { secretsOf } from '../settings/configured-secrets.ts'
import type { Configuration } from '../settings/configuration.ts'
import { planMemory, planModelMemory } from '../process/memory-plan.ts'
import { modelEngineEntry } from '../process/child-entries.ts'
import type { ServerLog } from '../log/server-log.ts'
import { readLauncherFile } from '../settings/launcher-file.ts'
import { runsModels } from '../settings/runs-models.ts'
import { logLaunch, openLauncher, outgoingTo } from './training-launcher.ts'
import { UsageError } from '../terminal/usage-error.ts'

export interface TrainingEngineParts {
  configuration: Configuration
  logger: ServerLog
  outgoing: Outgoing
}

export interface TrainingEngine {
  engine: Engine
  /** Folders of base models that it does not serve. */
  refusedBaseModels: BaseModelList['refused']
}

/**
 * The engine that serves the base models: the configured training server, which has their weights, one that is started on a cluster, else a local process. An invalid model folder is logged, and
 * stops nothing. @throws UsageError
 */
export async function openTrainingEngine({ configuration, logger, outgoing }: TrainingEngineParts): Promise<TrainingEngine> {
  const list = runsModels(configuration) ? listBaseModels : listRemoteModels
  const { models, refused } = await list({
    shipped: shippedModelsFolder,
    own: configuration.baseModelsDir ?? null,
    triesShipped: false,
  }).catch(inSetting)
  for (const { folder: path, reason } of refused) logger.warn({ path, reason }, 'this folder of a base model cannot be used')
  const engine = await openEngine({ configuration, logger, outgoing }, models)
  return { engine: withSampler(engine, { configuration, outgoing }), refusedBaseModels: refused }
}

/** The engine itself where no inference server is configured. */
function withSampler(engine: Engine, { configuration, outgoing }: Pick<TrainingEngineParts, 'configuration' | 'outgoing'>): Engine {
  const { samplerUrl: url, samplerApiKey: apiKey = null, samplerFolder, dataDir } = configuration
  if (url === undefined) return engine
  return createSampledEngine({ engine, outgoing, url, apiKey, folder: samplerFolder ?? join(dataDir, 'sampler-adapters') })
}

async function openEngine({ configuration, logger, outgoing }: TrainingEngineParts, models: readonly BaseModel[]): Promise<Engine> {
  const { trainingEngineUrl: url, trainingEngineApiKey: apiKey = null, trainingThreads: threads } = configuration
  const launched = configuration.only === 'tracing' ? undefined : await readLauncherFile(configuration)
  if (launched)
    return createLaunchedEngine({
      launcher: openLauncher(launched, configuration),
      limits: launched.limits,
      stopsAtEnd: launched.stopsAtEnd,
      onEvent: (event) => logLaunch(event, logger),
      outgoingTo: outgoingTo(createSecretMask(secretsOf(configuration))),
      apiKey,
      baseModels: models,
    })
  if (url !== undefined) return createTinkerEngine({ outgoing, url, apiKey, baseModels: models })
  const native = await tryBlas(configuration)
  return createEmbeddedEngine({
    entry: modelEngineEntry,
    baseModels: models,
    memoryBytes: planModelMemory(readMemoryLimit(), configuration),
    machineBytes: readMemoryLimit().bytes,
    heapBytes: planMemory(readMemoryLimit(), configuration).heapBytes,
    ...(threads !== undefined && { threads }),
    ...(native && { native }),
    onRestart: (event) => logger.warn(event, 'restarted the engine of models'),
  })
}

/** The configured library for products; null without one. @throws UsageError for one that cannot be used */
async function tryBlas({ trainingBlasFile: library }: Pick<Configuration, 'trainingBlasFile'>): Promise<NativeChoice | null> {
  if (library === undefined) return null
  try {
    return await tryNativeLibrary({ entry: modelEngineEntry, library })
  } catch (error) {
    if (!(error instanceof NativeLibraryError)) throw error
    throw new UsageError(
      `HEDDLE_TRAINING_BLAS_FILE: ${error.message}; name another library with CBLAS, such as that of OpenBLAS, or unset it`,
    )
  }
}

/** @throws UsageError for a directory that cannot be read */
function inSetting(error: unknown): never {
  throw error instanceof BaseModelError ? new UsageError(`HEDDLE_BASE_MODELS_DIR: ${error.message}`) : error
}
