import { createGzip } from 'node:zlib'
import { concatBytes, type Bytes } from '../encoding/concat-bytes.ts'

/** Fast rather than small: prompts shrink to a quarter either way. */
const level = 1

/** gzip in the threads of Node's pool, part by part, so that the program's own thread neither compresses nor copies. */
export function compressInPool(body: readonly Bytes[]): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const gzip = createGzip({ level })
    const packed: Uint8Array[] = []
    gzip.on('data', (part: Uint8Array) => packed.push(part))
    gzip.on('error', reject)
    gzip.on('end', () => resolve(concatBytes(packed)))
    for (const part of body) gzip.write(part)
    gzip.end()
  })
}
