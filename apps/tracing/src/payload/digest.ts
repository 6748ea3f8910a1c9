import { createHash } from 'node:crypto'

/** Characters of every digest. */
export const digestLength = 43

/** Digest of a text: SHA-256 of its UTF-8 form in 43 letters and digits. */
export function textDigest(text: string): string {
  return bytesDigest(text)
}

/** Digest of bytes, in the same form. */
export function bytesDigest(bytes: Uint8Array | string): string {
  return fold(createHash('sha256').update(bytes).digest('base64url'))
}

/** The same digest from the SHA-256 of the bytes in hexadecimal. */
export function hashDigest(hash: string): string {
  return fold(Buffer.from(hash, 'hex').toString('base64url'))
}

/** Writes two characters of base64url as letters, so the digest does not lead back to the hash. */
function fold(base64url: string): string {
  return base64url.replaceAll('-', 'X').replaceAll('_', 'Y')
}
