import { createGzip, type Gzip } from 'node:zlib'
import { concatBytes, sumOfLengths, type Bytes } from '../encoding/concat-bytes.ts'

/** Fast rather than small: prompts compress to a quarter either way. */
const level = 1
/** Bytes of output per chunk. */
const chunkSize = 64 * 1024
/** Bytes of input per chunk: fewer chunks cost the main thread less, larger copies block it longer. */
const chunkBytes = 512 * 1024

/** gzip in Node's thread pool, in chunks, so that the main thread does not compress, and copies little at a time. */
export function compressInPool(body: readonly Bytes[]): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const gzip = createGzip({ level, chunkSize })
    const packed: Uint8Array[] = []
    gzip.on('data', (part: Uint8Array) => packed.push(part))
    gzip.on('error', reject)
    gzip.on('end', () => resolve(concatBytes(packed)))
    void writeInChunks(gzip, body)
  })
}

async function writeInChunks(gzip: Gzip, body: readonly Bytes[]): Promise<void> {
  let chunk: Bytes[] = []
  for (const part of body) {
    chunk.push(part)
    if (sumOfLengths(chunk) < chunkBytes) continue
    await new Promise((resolve) => gzip.write(concatBytes(chunk), resolve))
    chunk = []
  }
  gzip.end(concatBytes(chunk))
}
