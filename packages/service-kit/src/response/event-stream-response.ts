import { toLine } from './jsonl-response.ts'
import { type RowFormat, streamedResponse, type StreamOptions } from './streamed-response.ts'

export interface EventStreamOptions extends StreamOptions {
  /** Event id of a row, from which a browser resumes (`Last-Event-ID`) after a broken connection. Default: no ids. */
  idOf?: ((row: unknown) => string | undefined) | undefined
  /** Milliseconds without output after which a comment is sent. Default 15 s. */
  heartbeatMs?: number
}

/** Time after which a browser reconnects. */
const retryMs = 3_000

/**
 * Streams rows as server-sent events, as `streamedResponse` does: each row is the JSON in `data` of one event. An event `end` follows the last
 * one: a browser that gets it must close the connection, or it would reconnect.
 */
export function eventStreamResponse(rows: AsyncIterable<unknown>, options: EventStreamOptions = {}): Promise<Response> {
  const { idOf, heartbeatMs = 15_000, ...others } = options
  const format: RowFormat = {
    // `x-accel-buffering` keeps proxies from buffering.
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
  if (!/^[\x21-\x7e]{1,200}$/.test(id)) throw new Error('an event id must be 1 to 200 printable ASCII characters')
  return `id: ${id}\n`
}
