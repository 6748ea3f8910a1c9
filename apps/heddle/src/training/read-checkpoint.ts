import { readFile, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { aboutFile, packCheckpoint, readArchived } from '@heddle/training'
import { UsageError } from '../terminal/usage-error.ts'

export interface LocalCheckpoint {
  /** A gzipped tar file. */
  bytes: Uint8Array
  /** Undefined where the files do not say it. */
  baseModel: string | undefined
}

/** Weights in a folder, or in an archive as `heddle models export` writes it. @throws UsageError when they cannot be read */
export async function readCheckpoint(path: string): Promise<LocalCheckpoint> {
  const bytes = await readPacked(path).catch((error: unknown) => {
    throw new UsageError(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`)
  })
  return { bytes, baseModel: await findBaseModel(bytes) }
}

async function readPacked(path: string): Promise<Uint8Array> {
  return (await stat(path)).isDirectory() ? packCheckpoint(path) : readFile(path)
}

/** The server checks that it is an archive. */
async function findBaseModel(bytes: Uint8Array): Promise<string | undefined> {
  const read = async (file: string, key: string) => textIn(await readArchived(Readable.from([bytes]), file).catch(() => undefined), key)
  const named = (await read(aboutFile, 'base_model')) ?? (await read('adapter_config.json', 'base_model_name_or_path'))
  // Adapters from elsewhere name a repository or a folder.
  return named?.replace(/\/+$/, '').split('/').at(-1)
}

function textIn(json: string | undefined, key: string): string | undefined {
  try {
    const value = (JSON.parse(json ?? '{}') as Record<string, unknown>)[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  } catch {
    return undefined
  }
}
