import { rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Blobs } from '@heddle/datastore'
import { readAdapterConfig } from '../../../checkpoint-files/adapter-config.ts'
import { type CheckpointFiles, newFolder } from '../../../checkpoint-files/stored-files.ts'
import type { AdapterSettings, BaseModel, Engine, TrainingSession } from '../../../engine/engine.ts'
import { copyFiles } from '../../../model-versions/create-model-versions.ts'
import type { ModelVersions } from '../../../model-versions/model-versions.ts'
import type { Scratch } from '../../../scratch.ts'
import type { CheckpointRow } from '../../checkpoints/checkpoint-row.ts'

export interface OpenTrainingDeps {
  engine: Pick<Engine, 'openTraining'>
  versions: Pick<ModelVersions, 'hold'>
  blobs: Blobs
  scratch: Scratch
  newId: () => string
}

/** Where a training begins. */
export interface TrainingBegin {
  base: BaseModel
  /** Null: the base model as it is. */
  checkpoint: CheckpointRow | null
  /** Adapter of weights that have none yet; null trains every weight. */
  adapter: AdapterSettings | null
  seed: number
  /** The optimizer as it was saved; null for a fresh one. */
  state: CheckpointFiles | null
}

/** Has the engine hold weights for training. The session also releases the files that it reads. @throws EngineError, ApiError */
export type OpenTraining = (begin: TrainingBegin, signal: AbortSignal) => Promise<TrainingSession>

export function createOpenTraining({ engine, versions, blobs, scratch, newId }: OpenTrainingDeps): OpenTraining {
  return async ({ base, checkpoint, adapter: fresh, seed, state }, signal) => {
    const held = await versions.hold({ baseModel: base.id, checkpoint }, signal)
    const folder = await scratch.newFolder('tinker', newId())
    try {
      const resumeFrom = state && (await newFolder(folder, 'state'))
      if (state && resumeFrom) await copyFiles(blobs, state, resumeFrom)
      const adapter = fresh && adapterOf(held.version.folder, fresh)
      const session = await engine.openTraining({ from: held.version, adapter, seed, resumeFrom }, signal)
      return {
        ...session,
        async close() {
          await session.close()
          held.release()
        },
      }
    } catch (error) {
      held.release()
      throw error
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** That of the weights, else the fresh one. */
function adapterOf(folder: string | null, fresh: AdapterSettings): AdapterSettings {
  return folder !== null && existsSync(join(folder, 'adapter_config.json')) ? readAdapterConfig(folder) : fresh
}
