import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { forEachFile } from '../../checkpoint-files/checkpoint-archive.ts'
import { ModelFileError } from '../../checkpoint-files/model-file-error.ts'
import { EngineError } from '../engine.ts'
import { writeSynced } from './write-synced.ts'

/** The files of an adapter in the layout of PEFT. Anything else in an archive is ignored. */
const files = ['adapter_config.json', 'adapter_model.safetensors']
const maxBytes = 2 ** 30

/** Writes the adapter in a `.tar.gz` into a folder. @throws EngineError `damaged` when it holds no adapter, or more than 1 GiB */
export async function unpackAdapter(archive: Uint8Array, folder: string): Promise<void> {
  const found = await readAdapter(archive)
  const missing = files.find((name) => !found.has(name))
  if (missing !== undefined) throw new EngineError('damaged', `the training server sent a checkpoint without ${missing}`)
  for (const [name, content] of found) await writeSynced(join(folder, name), content)
}

async function readAdapter(archive: Uint8Array): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  try {
    await forEachFile(Readable.from([archive]), { maxBytes }, async (name, content) => {
      if (files.includes(name)) found.set(name, await buffer(content))
      else content.resume()
    })
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error
    throw new EngineError('damaged', `the training server sent a checkpoint that cannot be read: ${error.message}`, { cause: error })
  }
  return found
}
