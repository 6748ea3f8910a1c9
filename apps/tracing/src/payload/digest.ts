import { createHash } from 'node:crypto'

/** Digest of a text: SHA-256 of its UTF-8 form in 43 letters and digits. */
export function textDigest(text: string): string {
  return bytesDigest(text)
}

/** Digest of bytes, in the same form. Two characters of base64url are folded into letters, so it does not lead back to the hash. */
export function bytesDigest(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('base64url').replaceAll('-', 'X').replaceAll('_', 'Y')
}
