import { StoreError } from '../work/store-error.ts'
import type { BlobDigest } from './blobs.ts'

const digestForm = /^[0-9a-f]{64}$/

/** True for 64 hexadecimal digits in lower case. */
export function isBlobDigest(text: string): boolean {
  return digestForm.test(text)
}

/** Returns the digest. @throws StoreError `data` for anything else, which prevents path traversal. */
export function checkedDigest(digest: BlobDigest): BlobDigest {
  if (isBlobDigest(digest)) return digest
  throw new StoreError('data', `${JSON.stringify(digest.slice(0, 80))} is not a digest of 64 hexadecimal digits`)
}
