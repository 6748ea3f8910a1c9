import { Buffer } from 'node:buffer'
import { JsonText } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'
import { streamedResponse, type StreamOptions } from './streamed-response.ts'

/** Sends rows as lines of JSON, as `streamedResponse` does. */
export function jsonlResponse(rows: AsyncIterable<unknown>, options: StreamOptions = {}): Promise<Response> {
  const encode = (row: unknown) => toBytesLine(row) ?? `${toLine(row)}\n`
  return streamedResponse(rows, { headers: { 'content-type': 'application/jsonl' }, encode }, options)
}

/** Bytes that are a line already: they are not read as text for being sent. */
function toBytesLine(row: unknown): Uint8Array | undefined {
  if (!(row instanceof JsonText) || typeof row.source === 'string') return undefined
  const hasBreaks = row.source.includes(lineFeed) || row.source.includes(carriageReturn)
  return hasBreaks ? undefined : Buffer.concat([row.source, lineEnd])
}

const [lineFeed, carriageReturn] = [10, 13]
const lineEnd = Buffer.from('\n')

/** JSON without line breaks. White space of a ready text may contain some, which in JSON are only between tokens. */
export function toLine(row: unknown): string {
  const json = stringifyJson(row)
  const mayHoldBreaks = row instanceof JsonText && (json.includes('\n') || json.includes('\r'))
  return mayHoldBreaks ? json.replace(/[\r\n]+/g, ' ') : json
}
