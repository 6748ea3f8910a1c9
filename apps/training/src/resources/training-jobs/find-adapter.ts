import { json } from 'node:stream/consumers'
import { badRequest } from '@heddle/core-api/internal'
import type { Blobs } from '@heddle/datastore'
import type { Context } from '@heddle/identity'
import { adapterConfigName, parseAdapterConfig } from '../../checkpoint-files/adapter-config.ts'
import { maxJsonBytes } from '../../checkpoint-files/read-json-file.ts'
import type { AdapterSettings, BaseModel } from '../../engine/engine.ts'
import { chooseAdapter } from '../../training/choose-adapter.ts'
import type { CheckpointRow } from '../checkpoints/checkpoint-row.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'

export interface AdapterRequest {
  base: BaseModel
  /** Null: the model is new. */
  modelId: string | null
  /** That of the config of the job; null leaves it to the model. */
  rank: number | null
  /** Linear layers by the config of the job; null leaves them to the model. */
  modules: readonly string[] | null
}

/** The adapter that a job would train if it began now; null trains every weight. @throws ApiError 400 for a rank that it cannot have */
export type FindAdapter = (context: Context, request: AdapterRequest) => Promise<AdapterSettings | null>

export interface FindAdapterDeps {
  checkpoints: Pick<CheckpointsStore, 'findNewest'>
  blobs: Pick<Blobs, 'read'>
  maxRank: number
  choosesModules: boolean
}

export function createFindAdapter({ checkpoints, blobs, maxRank, choosesModules }: FindAdapterDeps): FindAdapter {
  return async (context, { base, modelId, rank, modules }) => {
    const newest = base.adapter === null || modelId === null ? undefined : await checkpoints.findNewest(context.work, modelId)
    const there = newest ? await readCheckpointAdapter(newest, blobs, context.work.signal) : null
    const chosen = chooseAdapter({ base, there, rank, modules, choosesModules, maxRank })
    if ('problem' in chosen) throw badRequest(chosen.problem)
    return chosen.adapter
  }
}

/** The adapter of a checkpoint; null if it has none. */
export async function readCheckpointAdapter(
  { files }: Pick<CheckpointRow, 'files'>,
  blobs: Pick<Blobs, 'read'>,
  signal: AbortSignal,
): Promise<AdapterSettings | null> {
  const file = files[adapterConfigName]
  // An adapter of the server itself has a few hundred bytes, and an imported one was read before.
  if (!file || file.sizeBytes > maxJsonBytes) return null
  return parseAdapterConfig(await json(await blobs.read(file.digest, { signal })), adapterConfigName)
}
