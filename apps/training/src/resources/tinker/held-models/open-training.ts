import { rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { badRequest } from '@heddle/core-api/internal'
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
  /** Of a fresh adapter. */
  rank: number | null
  seed: number
  /** The optimizer as it was saved; null for a fresh one. */
  state: CheckpointFiles | null
}

/** Has the engine hold weights for training. The session also releases the files that it reads. @throws EngineError, ApiError */
export type OpenTraining = (begin: TrainingBegin, signal: AbortSignal) => Promise<TrainingSession>

export function createOpenTraining({ engine, versions, blobs, scratch, newId }: OpenTrainingDeps): OpenTraining {
  return async ({ base, checkpoint, rank, seed, state }, signal) => {
    const held = await versions.hold({ baseModel: base.id, checkpoint }, signal)
    const folder = await scratch.newFolder('tinker', newId())
    try {
      const resumeFrom = state && (await newFolder(folder, 'state'))
      if (state && resumeFrom) await copyFiles(blobs, state, resumeFrom)
      const adapter = adapterOf(base, { folder: held.version.folder, rank })
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

/** That of the weights, else one of the rank with the scale of the base model. Null trains every weight. */
function adapterOf(base: BaseModel, { folder, rank }: { folder: string | null; rank: number | null }): AdapterSettings | null {
  const first = base.adapter
  if (first === null) return null
  if (folder !== null && existsSync(join(folder, 'adapter_config.json'))) return readAdapterConfig(folder)
  return rank === null ? first : { rank, alpha: (first.alpha / first.rank) * rank }
}

/** @throws ApiError 400 that lists the base models */
export async function findBase(engine: Pick<Engine, 'baseModels'>, id: string): Promise<BaseModel> {
  const bases = await engine.baseModels()
  const found = bases.find((base) => base.id === id)
  if (found) return found
  const choice = bases.length === 0 ? 'this server has none' : `this server has ${bases.map((base) => base.id).join(', ')}`
  throw badRequest(`base_model ${JSON.stringify(id.slice(0, 200))} is not a base model; ${choice}`)
}
