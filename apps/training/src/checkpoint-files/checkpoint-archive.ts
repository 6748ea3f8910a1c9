import { createWriteStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { ModelFileError } from './model-file-error.ts'

/** The files that weights consist of, in the layout of PEFT or of Hugging Face. Others in an archive or a folder are left out. */
const weightFile =
  /^(adapter_config\.json|config\.json|(adapter_model|model)(-\d{5}-of-\d{5})?\.safetensors|model\.safetensors\.index\.json)$/
/** What `heddle models export` adds: what the files are. */
export const aboutFile = 'heddle.json'

/** Unpacked: weights hardly compress, so this is far above what a request may hold. */
const maxUnpackedBytes = 2 ** 30
const maxEntries = 10_000

/** Writes the weights in a gzipped tar file into a folder, whatever folder they have in it. @throws ModelFileError that says what is wrong with the archive */
export async function unpackCheckpoint(archive: Readable, folder: string): Promise<void> {
  const written = new Set<string>()
  await forEachEntry(archive, async (name, content) => {
    if (!weightFile.test(name)) return void content.resume()
    if (written.has(name)) throw new ModelFileError('damaged', `the archive has two files ${name}`)
    written.add(name)
    await pipeline(content, createWriteStream(join(folder, name), { mode: 0o600, flags: 'wx' }))
  })
  if (written.size === 0)
    throw new ModelFileError('damaged', 'the archive holds neither an adapter (adapter_config.json) nor a model (config.json)')
}

/** The content of a small file in an archive; undefined when it is not there. */
export async function readArchived(archive: Readable, wanted: string): Promise<string | undefined> {
  let found: string | undefined
  await forEachEntry(archive, async (name, content) => {
    if (name === wanted) found = (await buffer(content)).toString()
    else content.resume()
  })
  return found
}

/** A folder of weights as a gzipped tar file. */
export async function packCheckpoint(folder: string): Promise<Buffer> {
  const tar = pack()
  const packed = buffer(tar.pipe(createGzip({ level: 1 })))
  for (const name of (await readdir(folder)).filter((each) => weightFile.test(each) || each === aboutFile).toSorted())
    tar.entry({ name }, await readFile(join(folder, name)))
  tar.finalize()
  return packed
}

async function forEachEntry(archive: Readable, visit: (name: string, content: Readable) => Promise<void>): Promise<void> {
  const entries = extract()
  const unpacked = pipeline(archive, createGunzip(), entries)
  const visited = (async () => {
    let bytes = 0
    let count = 0
    for await (const entry of entries) {
      bytes += entry.header.size ?? 0
      if (bytes > maxUnpackedBytes || ++count > maxEntries)
        throw new ModelFileError('unsupported', `the archive unpacks to more than ${maxUnpackedBytes} bytes or ${maxEntries} files`)
      await visit(entry.header.type === 'file' ? basename(entry.header.name) : '', entry)
    }
  })()
  const [packing, reading] = await Promise.allSettled([unpacked, visited])
  if (reading.status === 'rejected' && reading.reason instanceof ModelFileError) throw reading.reason
  for (const outcome of [packing, reading]) {
    if (outcome.status === 'rejected')
      throw new ModelFileError('damaged', `this is not a tar.gz archive: ${(outcome.reason as Error).message}`, { cause: outcome.reason })
  }
}
