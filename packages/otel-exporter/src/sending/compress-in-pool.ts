import { createGzip, type Gzip } from 'node:zlib'
import { concatBytes, sumOfLengths, type Bytes } from '../encoding/concat-bytes.ts'

/** Fast rather than small: prompts shrink to a quarter either way. */
const level = 1
/** Of output for each turn of the pool. */
const chunkSize = 64 * 1024
/** Of input for each turn of the pool: fewer turns cost the program's thread less, larger copies more at a time. */
const turnBytes = 512 * 1024

/** gzip in the threads of Node's pool, part by part, so that the program's own thread does not compress, and copies little at a time. */
export function compressInPool(body: readonly Bytes[]): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const gzip = createGzip({ level, chunkSize })
    const packed: Uint8Array[] = []
    gzip.on('data', (part: Uint8Array) => packed.push(part))
    gzip.on('error', reject)
    gzip.on('end', () => resolve(concatBytes(packed)))
    void writeInTurns(gzip, body)
  })
}

async function writeInTurns(gzip: Gzip, body: readonly Bytes[]): Promise<void> {
  let turn: Bytes[] = []
  for (const part of body) {
    turn.push(part)
    if (sumOfLengths(turn) < turnBytes) continue
    await new Promise((resolve) => gzip.write(concatBytes(turn), resolve))
    turn = []
  }
  gzip.end(concatBytes(turn))
}
