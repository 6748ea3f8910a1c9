import { createReadStream, existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { type Entry, type Extract, extract, type Pack, pack } from 'tar-stream'
import { maxJsonBytes } from './read-json-file.ts'
import { ModelFileError } from './model-file-error.ts'
import { createTarCheck } from './tar-check.ts'
import { writeNewFile } from './write-new-file.ts'

/** The files of weights, in the layout of PEFT or of Hugging Face. Other files in an archive or a folder are ignored. */
const weightFile =
  /^(adapter_config\.json|config\.json|(adapter_model|model)(-\d{5}-of-\d{5})?\.safetensors|model\.safetensors\.index\.json)$/
/** What `heddle models export` adds: what the files are. */
export const aboutFile = 'heddle.json'

export interface UnpackBounds {
  /** Bytes of the unpacked archive. Weights hardly compress. */
  maxBytes: number
  signal?: AbortSignal
}

/** Files after unpacking, with names of the default layout, and some headers for each. */
const maxHeaders = 10_000
const maxNameBytes = 1_024

/**
 * Writes the weights in a gzipped tar file into a folder, whatever folder they have in it. Each member is checked before it is read: its kind, name,
 * size and number, and that names are unique. Files written before a failure remain in the folder.
 * @throws ModelFileError that describes the problem of the archive
 */
export async function unpackCheckpoint(archive: Readable, folder: string, bounds: UnpackBounds): Promise<void> {
  const written = new Set<string>()
  await forEachFile(archive, bounds, async (name, content) => {
    if (!weightFile.test(name)) return void content.resume()
    if (written.has(name)) throw new ModelFileError('damaged', `the archive has two files ${name}`)
    written.add(name)
    await writeNewFile(join(folder, name), content)
  })
  if (written.size === 0)
    throw new ModelFileError('damaged', 'the archive holds neither an adapter (adapter_config.json) nor a model (config.json)')
}

/**
 * The content of the first of some JSON files in an archive for which `find` returns a value; undefined if none does. The archive is not read beyond
 * it.
 * @throws ModelFileError as `unpackCheckpoint` does
 */
export async function readArchived(
  archive: Readable,
  readers: ReadonlyMap<string, (text: string) => string | undefined>,
  bounds: UnpackBounds,
): Promise<string | undefined> {
  let found: string | undefined
  await forEachFile(archive, bounds, async (name, content) => {
    const read = readers.get(name)
    if (!read) return void content.resume()
    found = read((await buffer(content)).toString())
    return found === undefined ? undefined : 'end'
  })
  return found
}

/** A folder of weights as a gzipped tar file. */
export function packCheckpoint(folder: string): Readable {
  const tar = pack()
  const packed = tar.pipe(createGzip({ level: 1 }))
  addFiles(tar, folder).then(
    () => tar.finalize(),
    (error: unknown) => void packed.destroy(error as Error),
  )
  return packed
}

async function addFiles(tar: Pack, folder: string): Promise<void> {
  const weights = (await readdir(folder)).filter((name) => weightFile.test(name)).toSorted()
  for (const name of existsSync(join(folder, aboutFile)) ? [aboutFile, ...weights] : weights) {
    const path = join(folder, name)
    await pipeline(createReadStream(path), tar.entry({ name, size: (await stat(path)).size }))
  }
}

/** Visits the files of a gzipped tar file, one after the other, by the last part of their names, until one ends it. @throws ModelFileError, and what `visit` throws */
export async function forEachFile(archive: Readable, { maxBytes, signal }: UnpackBounds, visit: VisitFile): Promise<void> {
  const files = extract()
  const unpacked = pipeline([archive, createGunzip(), createTarCheck({ maxBytes, maxHeaders }), files], signal ? { signal } : {})
  const visited = visitAll(files, visit)
  const outcomes = await Promise.allSettled([unpacked, visited])
  signal?.throwIfAborted()
  if (outcomes[1].status === 'fulfilled' && outcomes[1].value === 'ended') return
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []))
  if (failures.length === 0) return
  const own = failures.find((error) => error instanceof ModelFileError) ?? failures.find((error) => 'syscall' in error)
  throw own ?? new ModelFileError('damaged', `this is not a tar.gz archive: ${failures[0]!.message}`, { cause: failures[0] })
}

/** Reads the content, or lets it pass (`resume`). */
type VisitFile = (name: string, content: Entry) => Promise<void | 'end'>

async function visitAll(files: Extract, visit: VisitFile): Promise<'read' | 'ended'> {
  for await (const file of files) {
    const { name, type, size = 0 } = file.header
    if (type !== 'file') {
      file.resume()
      continue
    }
    if (Buffer.byteLength(name) > maxNameBytes)
      throw new ModelFileError('unsupported', `the archive has a name of more than ${maxNameBytes} bytes`)
    if (name.endsWith('.json') && size > maxJsonBytes && isRead(basename(name)))
      throw new ModelFileError('unsupported', `${basename(name)} has ${size} bytes; at most ${maxJsonBytes} are read`)
    if ((await visit(basename(name), file)) === 'end') return 'ended'
  }
  return 'read'
}

const isRead = (name: string) => weightFile.test(name) || name === aboutFile
