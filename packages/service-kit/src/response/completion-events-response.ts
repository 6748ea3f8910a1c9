import type { EventsAnswer } from '@heddle/core-api/internal'
import { toLine } from './jsonl-response.ts'
import { streamedResponse, type StreamOptions } from './streamed-response.ts'

const heartbeatMs = 15_000

/**
 * Streams values as the server-sent events that clients of models read: each is the JSON in `data` of one event. Either the text `[DONE]` follows the
 * last one, or each has the name of its type. Sent as they arrive.
 */
export function completionEventsResponse({ events, headers, named }: EventsAnswer, options: StreamOptions): Promise<Response> {
  return streamedResponse(
    events,
    {
      // `x-accel-buffering` keeps proxies from buffering.
      headers: { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      encode: (event) => `${named ? `event: ${(event as { type: string }).type}\n` : ''}data: ${toLine(event)}\n\n`,
      ...(!named && { last: 'data: [DONE]\n\n' }),
      heartbeat: { text: ': ping\n\n', everyMs: heartbeatMs },
    },
    { flushMs: 0, ...options },
  )
}
