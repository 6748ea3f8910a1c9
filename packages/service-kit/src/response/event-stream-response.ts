import { toLine } from './jsonl-response.ts'
import { type RowFormat, streamedResponse, type StreamOptions } from './streamed-response.ts'

export interface EventStreamOptions extends StreamOptions {
  /** Id of the event of a row, with which a browser comes back (`Last-Event-ID`) after a broken connection. Default: none has one. */
  idOf?: ((row: unknown) => string | undefined) | undefined
  /** Time after which a comment is sent when nothing else was. Default 15 s. */
  heartbeatMs?: number
}

/** A browser whose connection broke comes back after so long. */
const retryMs = 3_000

/**
 * Sends rows as server-sent events, as `streamedResponse` does: each row is the JSON in `data` of one event. After the last one comes an event
 * `end`: a browser that gets it must close, or it would ask again.
 */
export function eventStreamResponse(rows: AsyncIterable<unknown>, options: EventStreamOptions = {}): Promise<Response> {
  const { idOf, heartbeatMs = 15_000, ...others } = options
  const format: RowFormat = {
    // The second one keeps proxies from gathering.
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
    encode: (row) => `${idLine(idOf?.(row))}data: ${toLine(row)}\n\n`,
    first: `retry: ${retryMs}\n\n`,
    last: 'event: end\ndata: null\n\n',
    heartbeat: { text: ':\n\n', everyMs: heartbeatMs },
  }
  return streamedResponse(rows, format, others)
}

function idLine(id: string | undefined): string {
  if (id === undefined) return ''
  // Anything else would end the line, be ignored by browsers, or not fit into the header that brings it back.
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) throw new Error('the id of an event must be 1 to 200 printable letters of ASCII')
  return `id: ${id}\n`
}
