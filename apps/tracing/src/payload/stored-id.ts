import { createHash } from 'node:crypto'
import { maxIdentifierLength } from '@heddle/core-api/internal'

/** Characters of `:` and a SHA-256 in hexadecimal. */
const suffixLength = 65

/**
 * The id of a thread or turn as it is stored and looked up: if it has more than 1,024 characters, it keeps its beginning, and its end becomes `:`
 * with the SHA-256 of the whole. So different ids remain different, and a client finds its data by the id that it sent.
 */
export function toStoredId(id: string): string {
  if (id.length <= maxIdentifierLength) return id
  const beginning = id.slice(0, maxIdentifierLength - suffixLength).replace(/[\uD800-\uDBFF]$/, '')
  return `${beginning}:${createHash('sha256').update(id).digest('hex')}`
}
