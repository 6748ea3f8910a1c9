import { createHash } from 'node:crypto'

/** Digest of a table: SHA-256 over the row digests in order, with nothing between them, in hexadecimal. */
export async function tableDigest(parts: Iterable<readonly string[]> | AsyncIterable<readonly string[]>): Promise<string> {
  const hash = createHash('sha256')
  for await (const digests of parts) hash.update(digests.join(''))
  return hash.digest('hex')
}
