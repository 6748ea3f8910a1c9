import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { BytesStream } from '@heddle/core-api/internal'
import type { Blobs } from '@heddle/datastore'
import { pack, type Pack } from 'tar-stream'
import type { ModelRow } from '../models/model-row.ts'
import type { CheckpointRow } from './checkpoint-row.ts'

/** Writes the files of a checkpoint as a gzipped tar file, with `heddle.json`, which describes them. */
export type ArchiveCheckpoint = (model: ModelRow, checkpoint: CheckpointRow, signal: AbortSignal) => Promise<BytesStream>

/** The archive waits on disk until it was sent, since its size is sent first. */
export function createArchiveCheckpoint(blobs: Blobs): ArchiveCheckpoint {
  return async (model, checkpoint, signal) => {
    const staged = await blobs.stage(archiveOf({ blobs, model, checkpoint, signal }))
    const content = staged.read()
    content.once('close', () => void staged.drop())
    return {
      content_type: 'application/gzip',
      content,
      cancel: () => void content.destroy(),
      sizeBytes: staged.sizeBytes,
      status: 200,
      headers: {},
    }
  }
}

interface ArchiveSource {
  blobs: Blobs
  model: ModelRow
  checkpoint: CheckpointRow
  signal: AbortSignal
}

/** The bytes of the archive. What fails while it is written is thrown to its reader, whenever that begins to read. */
async function* archiveOf(archived: ArchiveSource): AsyncGenerator<Buffer> {
  const tar = pack()
  const packed = createGzip()
  const piping = pipeline(tar, packed)
  const adding = addFiles(tar, archived).catch((error: unknown) => void tar.destroy(error as Error))
  piping.catch(() => undefined)
  try {
    yield* packed as AsyncIterable<Buffer>
    await piping
  } finally {
    tar.destroy()
    packed.destroy()
    await adding
  }
}

async function addFiles(tar: Pack, { blobs, model, checkpoint, signal }: ArchiveSource): Promise<void> {
  const { step, metrics, files } = checkpoint
  const about = {
    format: 1,
    project: model.project_id,
    name: model.name,
    base_model: model.base_model,
    step,
    metrics,
    files: Object.keys(files),
  }
  const text = `${JSON.stringify(about, null, 2)}\n`
  tar.entry({ name: 'heddle.json', size: Buffer.byteLength(text), mtime: new Date(checkpoint.created_at / 1000) }, text)
  for (const [name, { digest, sizeBytes }] of Object.entries(files)) {
    signal.throwIfAborted()
    const content = await blobs.read(digest, { signal })
    await pipeline(content, tar.entry({ name, size: sizeBytes, mtime: new Date(checkpoint.created_at / 1000) }))
  }
  tar.finalize()
}
