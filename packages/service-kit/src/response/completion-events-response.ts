import type { EventsAnswer } from '@heddle/core-api/internal'
import { toLine } from './jsonl-response.ts'
import { streamedResponse, type StreamOptions } from './streamed-response.ts'

const heartbeatMs = 15_000

/**
 * Streams values as the server-sent events that clients of chat completions read: each is the JSON in `data` of one event, and the text `[DONE]`
 * follows the last one. Sent as they arrive.
 */
export function completionEventsResponse({ events, headers }: EventsAnswer, options: StreamOptions): Promise<Response> {
  return streamedResponse(
    events,
    {
      // `x-accel-buffering` keeps proxies from buffering.
      headers: { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      encode: (event) => `data: ${toLine(event)}\n\n`,
      last: 'data: [DONE]\n\n',
      heartbeat: { text: ': ping\n\n', everyMs: heartbeatMs },
    },
    { flushMs: 0, ...options },
  )
}
