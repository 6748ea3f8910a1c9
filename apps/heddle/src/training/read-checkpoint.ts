import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { aboutFile, packCheckpoint, readArchived } from '@heddle/training'
import { unreadableFile } from '../terminal/file-problem.ts'

export interface LocalCheckpoint {
  /** A gzipped tar file, which is read from the disk while it is sent. */
  archive: Blob
  /** Undefined where the files do not say it. */
  baseModel: string | undefined
}

/** Gives `use` the weights in a folder, or in an archive as `heddle models export` writes it. @throws UsageError when they cannot be read */
export async function withCheckpoint<T>(path: string, use: (checkpoint: LocalCheckpoint) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-import-'))
  try {
    return await use(await readCheckpoint(path, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readCheckpoint(path: string, folder: string): Promise<LocalCheckpoint> {
  try {
    const file = (await stat(path)).isDirectory() ? await packInto(folder, path) : path
    // A blob that cannot be read would only fail when it is sent.
    await (await open(file)).close()
    return { archive: await openAsBlob(file), baseModel: await findBaseModel(file) }
  } catch (error) {
    throw unreadableFile(error, path, 'weights')
  }
}

async function packInto(folder: string, weights: string): Promise<string> {
  const file = join(folder, 'weights.tar.gz')
  await pipeline(packCheckpoint(weights), createWriteStream(file, { mode: 0o600 }))
  return file
}

/** How far an archive is read to find the base model. The server limits the size that it accepts. */
const maxReadBytes = 2 ** 40

/** The server checks that it is an archive. */
async function findBaseModel(file: string): Promise<string | undefined> {
  const readers = new Map([
    [aboutFile, (json: string) => textIn(json, 'base_model')],
    ['adapter_config.json', (json: string) => textIn(json, 'base_model_name_or_path')],
  ])
  const named = await readArchived(createReadStream(file), readers, { maxBytes: maxReadBytes }).catch(() => undefined)
  // Adapters from elsewhere name a repository or a folder.
  return named?.replace(/\/+$/, '').split('/').at(-1)
}

function textIn(json: string, key: string): string | undefined {
  try {
    const value = (JSON.parse(json) as Record<string, unknown>)[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}
