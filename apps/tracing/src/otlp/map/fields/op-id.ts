import { createHash } from 'node:crypto'
import { shortenName } from './shorten-name.ts'

const maxLength = 128
const plainId = /^[a-z0-9_.-]+$/

/** The object id of the op of a span name: shortened, spaces and slashes as `_`, without what an object name may not hold, in lower case. */
export function toOpId(spanName: string): string {
  const name = shortName(spanName)
  if (plainId.test(name)) return name
  const id = name
    .replaceAll(/[ /]/g, '_')
    .replaceAll(/[^\p{L}\p{N}_.-]/gu, '')
    .toLowerCase()
  return id === '' ? 'unknown' : Array.from(id).slice(0, maxLength).join('')
}

function shortName(name: string): string {
  if (name.length <= maxLength) return name
  const digest = createHash('sha256').update(name).digest('hex')
  return shortenName(name, { maxLength, suffix: `:${digest.slice(0, 4)}`, keepsDelimiter: false })
}
