import type { Blobs, BlobStat } from '@heddle/datastore'
import type { TrainingFileRow } from '../training-files/training-file-row.ts'

type Content = Pick<TrainingFileRow, 'sha256'>

/** Stores the lines of files one behind the other, as a blob that nothing references yet. @throws StoreError, and the reason of the signal */
export function joinFiles(blobs: Pick<Blobs, 'put' | 'read'>, files: readonly Content[], signal: AbortSignal): Promise<BlobStat> {
  return blobs.put(readAll(blobs, files, signal))
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** A last line need not end with a line break; a blank line is none. A byte order mark is only one at the beginning of all. */
async function* readAll(blobs: Pick<Blobs, 'read'>, files: readonly Content[], signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const { sha256 } of files) {
    let isFirst = true
    for await (const chunk of (await blobs.read(sha256, { signal })) as AsyncIterable<Uint8Array>) {
      yield isFirst && byteOrderMark.equals(chunk.subarray(0, 3)) ? chunk.subarray(3) : chunk
      isFirst = false
    }
    yield Buffer.from('\n')
  }
}
