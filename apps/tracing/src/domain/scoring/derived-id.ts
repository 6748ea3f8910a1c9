import { createHash } from 'node:crypto'

/**
 * An id derived from an id of version 7 (RFC 9562) and a name: the same again when work is repeated after a crash. It keeps the time of the first, so
 * it sorts next to it.
 */
export function derivedId(id: string, name: string): string {
  const hash = createHash('sha256').update(`${id}\0${name}`).digest('hex')
  const variant = ((Number.parseInt(hash.slice(3, 4), 16) & 3) | 8).toString(16)
  return `${id.slice(0, 14)}7${hash.slice(0, 3)}-${variant}${hash.slice(4, 7)}-${hash.slice(7, 19)}`
}

/** An id of version 8 (RFC 9562) that follows from a name alone. */
export function namedId(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex')
  const variant = ((Number.parseInt(hash.slice(15, 16), 16) & 3) | 8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(12, 15)}-${variant}${hash.slice(16, 19)}-${hash.slice(19, 31)}`
}
