import { JsonText } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'
import { streamedResponse, type StreamOptions } from './streamed-response.ts'

/** Sends rows as lines of JSON, as `streamedResponse` does. */
export function jsonlResponse(rows: AsyncIterable<unknown>, options: StreamOptions = {}): Promise<Response> {
  const encode = (row: unknown) => `${toLine(row)}\n`
  return streamedResponse(rows, { headers: { 'content-type': 'application/jsonl' }, encode }, options)
}

/** JSON without line breaks. White space of a ready text may hold some, which inside JSON stand only between tokens. */
export function toLine(row: unknown): string {
  const json = stringifyJson(row)
  const mayHoldBreaks = row instanceof JsonText && (json.includes('\n') || json.includes('\r'))
  return mayHoldBreaks ? json.replace(/[\r\n]+/g, ' ') : json
}
