import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pack, type Pack } from 'tar-stream'
import type { ExportedFile } from './exported-file.ts'

const blockBytes = 512

/** Bytes of a tar file with these files, whose names have at most 100 bytes. */
export const tarBytes = (files: readonly Pick<ExportedFile, 'sizeBytes'>[]): number =>
  files.reduce((sum, { sizeBytes }) => sum + blockBytes + Math.ceil(sizeBytes / blockBytes) * blockBytes, 2 * blockBytes)

/** A tar file, made no faster than it is read. What fails while a file is made is thrown to the reader. */
export async function* tarOf(files: readonly ExportedFile[], mtime: Date): AsyncGenerator<Uint8Array> {
  const tar = pack()
  const adding = addFiles(tar, files, mtime).catch((error: unknown) => void tar.destroy(error as Error))
  try {
    yield* tar as AsyncIterable<Buffer>
  } finally {
    tar.destroy()
    await adding
  }
}

async function addFiles(tar: Pack, files: readonly ExportedFile[], mtime: Date): Promise<void> {
  for (const { name, sizeBytes, content } of files)
    await pipeline(Readable.from(yieldBetween(content()), { objectMode: false }), tar.entry({ name, size: sizeBytes, mtime }))
  tar.finalize()
}

/** Lets other work of the process run between two parts. */
async function* yieldBetween(parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    yield part
    await nextTurn()
  }
}
