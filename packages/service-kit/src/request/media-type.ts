import { ApiError } from '@heddle/core-api'

/** The Content-Type of a request; equal header lines count as one. Null if there is none. */
export function readContentType(headers: Pick<Headers, 'get'>): string | null {
  const joined = headers.get('content-type')
  if (!joined?.includes(',')) return joined
  const lines = joined.split(/, /)
  // Lines that differ, or one whose parameters contain commas, are returned unchanged.
  return lines.every((line) => line === lines[0]) ? lines[0]! : joined
}

/** `type/subtype` in lower case, without parameters. Undefined when the header is absent or empty. */
export function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined
}

/** True when the Accept header names the very type. */
export function accepts(headers: Pick<Headers, 'get'>, type: string): boolean {
  const ranges = (headers.get('accept') ?? '').split(',')
  return ranges.some((range) => mediaType(range) === type && !/;\s*q=0(?:\.0*)?\s*$/.test(range))
}

/** Other types under which clients are known to send JSON. */
const vague: ReadonlySet<string> = new Set(['text/plain', 'text/json', 'application/octet-stream', 'application/x-www-form-urlencoded'])

/** True unless the type clearly is something else: clients send JSON without a type, and with the default type of their tool. */
export function mayBeJson(type: string | undefined): boolean {
  return type === undefined || type === 'application/json' || type.endsWith('+json') || vague.has(type)
}

/** 415 that names the received and the accepted types. */
export function unsupportedType(type: string | undefined, accepted: readonly string[]): ApiError {
  const given = type === undefined ? 'a body without a content type' : `content type "${type.slice(0, 80)}"`
  return new ApiError('unsupported_media_type', `${given} is not supported here; send ${accepted.join(' or ')}`)
}
