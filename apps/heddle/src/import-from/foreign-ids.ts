import { createHash } from 'node:crypto'
import { isUuid } from '@heddle/core-api/internal'

/** Trace id of 32 hex digits: that of OpenTelemetry and a UUID are taken over; any other text is hashed, the same text always to the same id. */
export function toTraceId(text: string): string {
  const id = text.toLowerCase()
  if (/^[0-9a-f]{32}$/.test(id)) return id
  return isUuid(id) ? id.replaceAll('-', '') : digestOf(`trace ${text}`).slice(0, 32)
}

/** Span id of 16 hex digits: that of OpenTelemetry is taken over; any other text is hashed. */
export function toSpanId(text: string): string {
  const id = text.toLowerCase()
  return /^[0-9a-f]{16}$/.test(id) ? id : digestOf(`span ${text}`).slice(0, 16)
}

/** A UUID for the parts; the same parts always give the same one. */
export function toFeedbackId(...parts: readonly string[]): string {
  const hex = digestOf(JSON.stringify(parts))
  // Version 8 of RFC 9562: the rest is up to the application.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** Hex of an id in base64, which JSON of protobuf writes for bytes; a hex id stays as it is. Undefined for other texts. */
export function toHexId(text: string, bytes: 8 | 16): string | undefined {
  const hex = text.replace(/^0x/i, '').toLowerCase()
  if (/^[0-9a-f]+$/.test(hex) && hex.length === bytes * 2) return hex
  const decoded = Buffer.from(text, 'base64')
  return decoded.length === bytes ? decoded.toString('hex') : undefined
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')
