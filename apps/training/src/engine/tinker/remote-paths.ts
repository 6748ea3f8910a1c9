import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeSynced } from './write-synced.ts'
import { EngineError } from '../engine.ts'

/** Where a server keeps weights, by its own addresses. */
const RemotePaths = z.object({
  /** To sample from; null for the state of a training. */
  sampler: z.string().nullable(),
  /** To train on from, with the state of the optimizer. */
  training: z.string(),
})
export type RemotePaths = z.output<typeof RemotePaths>

const name = 'tinker.json'

export async function writeRemotePaths(folder: string, paths: RemotePaths): Promise<void> {
  await writeSynced(join(folder, name), JSON.stringify(paths))
}

/** @throws EngineError `damaged` when the folder holds none */
export async function readRemotePaths(folder: string): Promise<RemotePaths> {
  const path = join(folder, name)
  try {
    return RemotePaths.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw new EngineError(
      'damaged',
      `${path} does not say where the training server keeps these weights; they were trained by another engine`,
      {
        cause: error,
      },
    )
  }
}
