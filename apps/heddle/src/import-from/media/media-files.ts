import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { isApiError } from '@heddle/core-api'
import type { TracingClient } from '../../connect.ts'
import { formatBytes } from '../../terminal/measures.ts'
import type { JsonObject } from '../foreign-item.ts'
import type { ImportCounts } from '../import-report.ts'

/** A file is read as a whole. */
const maxMediaBytes = 256 * 2 ** 20

interface MediaImport {
  client: TracingClient
  project: string
  counts: ImportCounts
  /** Folder of the export. */
  folder: string
  /** Paths below the folder that may be media files. */
  names: readonly string[]
  /** Media types by the ids of media that records refer to. */
  types: ReadonlyMap<string, string>
}

interface StoredMedia {
  /** Values that take the place of references, by the ids of the media. */
  values: Map<string, JsonObject>
  /** Names of files to which no record refers. */
  others: string[]
}

/** The id of the media in a file: its name without its ending. */
export const mediaIdIn = (name: string) => name.slice(name.lastIndexOf('/') + 1, name.length - extname(name).length)

/** Stores the files whose names are ids that records refer to. Storing a file again gives the same value. What is not stored is counted with its reason. */
export async function storeMedia({ client, project, counts, folder, names, types }: MediaImport): Promise<StoredMedia> {
  const stored: StoredMedia = { values: new Map(), others: [] }

  async function store(name: string, bytes: Uint8Array): Promise<string> {
    const file = { field: 'file', filename: name, content_type: undefined, bytes: new Uint8Array(bytes) }
    return (await client.files.create({ project_id: project, files: [file] })).digest
  }

  async function storeFile(name: string, id: string, type: string): Promise<void> {
    const path = join(folder, name)
    const { size } = await stat(path)
    if (size > maxMediaBytes) return counts.skip('media files', `larger than ${formatBytes(maxMediaBytes)}`)
    try {
      stored.values.set(id, await toValue({ name, type, bytes: await readFile(path) }, store))
      counts.count('media files')
    } catch (error) {
      if (!isApiError(error) || ![400, 413, 422].includes(error.status)) throw error
      counts.skip('media files', error.message)
    }
  }

  const seen = new Set<string>()
  for (const name of names) {
    const id = mediaIdIn(name)
    const type = types.get(id)
    if (type === undefined) stored.others.push(name)
    else if (!seen.has(id)) await storeFile(name, id, type)
    seen.add(id)
  }
  const missing = [...types.keys()].filter((id) => !seen.has(id)).length
  if (missing > 0) counts.skip('media files', 'records refer to them, but the export has none of their name', missing)
  return stored
}

interface MediaFile {
  name: string
  type: string
  bytes: Uint8Array
}

/** The value of a file, as clients of Weave write images, sounds and other contents. */
async function toValue(file: MediaFile, store: (name: string, bytes: Uint8Array) => Promise<string>): Promise<JsonObject> {
  const [, image] = /^image\/(png|jpe?g|gif|webp)$/.exec(file.type) ?? []
  if (image !== undefined) {
    const name = `image.${image.replace('jpeg', 'jpg')}`
    return valueOf('PIL.Image.Image', { [name]: await store(name, file.bytes) })
  }
  if (/^audio\/(x-)?wav$/.test(file.type)) return valueOf('wave.Wave_read', { 'audio.wav': await store('audio.wav', file.bytes) })
  const content = await store('content', file.bytes)
  const described = await store('metadata.json', Buffer.from(JSON.stringify(aboutContent(file))))
  return valueOf('weave.type_wrappers.Content.content.Content', { content, 'metadata.json': described })
}

const valueOf = (type: string, files: Record<string, string>): JsonObject => ({
  _type: 'CustomWeaveType',
  weave_type: { type },
  files,
  load_op: 'NO_LOAD_OP',
})

/** Fields without which the Python client does not read a content. */
function aboutContent({ name, type, bytes }: MediaFile) {
  const extension = extname(name)
  return {
    id: mediaIdIn(name),
    size: bytes.length,
    mimetype: type,
    digest: createHash('sha256').update(bytes).digest('hex'),
    filename: `${mediaIdIn(name)}${extension}`,
    content_type: 'bytes',
    input_type: 'bytes',
    encoding: 'utf-8',
    extension,
  }
}
