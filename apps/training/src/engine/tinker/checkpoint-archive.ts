import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { EngineError } from '../engine.ts'
import { writeSynced } from './write-synced.ts'

/** The files of an adapter in the layout of PEFT. Anything else in an archive is left out. */
const files = ['adapter_config.json', 'adapter_model.safetensors']
const maxBytes = 2 ** 30

/** Writes the adapter in a `.tar.gz` into a folder. @throws EngineError `damaged` when it holds no adapter, or more than 1 GiB */
export async function unpackAdapter(archive: Uint8Array, folder: string): Promise<void> {
  const found = await readEntries(archive).catch((error: unknown) => {
    if (error instanceof EngineError) throw error
    throw new EngineError('damaged', `the training server sent a checkpoint that is not a tar.gz: ${(error as Error).message}`, {
      cause: error,
    })
  })
  const missing = files.find((name) => !found.has(name))
  if (missing !== undefined) throw new EngineError('damaged', `the training server sent a checkpoint without ${missing}`)
  for (const [name, content] of found) await writeSynced(join(folder, name), content)
}

async function readEntries(archive: Uint8Array): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const entries = extract()
  const unpacked = pipeline(Readable.from([archive]), createGunzip(), entries)
  let bytes = 0
  const read = (async () => {
    for await (const entry of entries) {
      bytes += entry.header.size ?? 0
      if (bytes > maxBytes) throw new EngineError('damaged', `the training server sent a checkpoint of more than ${maxBytes} bytes`)
      const content = await buffer(entry)
      const name = basename(entry.header.name)
      if (files.includes(name) && entry.header.type === 'file') found.set(name, content)
    }
  })()
  await Promise.all([unpacked, read])
  return found
}
