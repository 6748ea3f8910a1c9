import { Buffer } from 'node:buffer'
import type { BytesAnswer, Operation } from '@heddle/core-api'
import { type BytesStream, EventsAnswer, HttpAnswer, JsonPieces } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json'
import { bytesResponse } from './bytes-response.ts'
import { completionEventsResponse } from './completion-events-response.ts'
import { eventStreamResponse, type EventStreamOptions } from './event-stream-response.ts'
import { jsonlResponse } from './jsonl-response.ts'
import { jsonPiecesResponse } from './json-pieces-response.ts'
import { accepts } from '../request/media-type.ts'

export interface AnswerOptions extends EventStreamOptions {
  request: Request
}

/** Characters from which a text is encoded here: the HTTP adapter would read it again for its length, and copy it to put the headers before it. */
const minEncodedLength = 65_536

/**
 * Encodes a handler's return value, as its operation declares: JSON, events, rows or bytes. Rows are lines of JSON, or events for a client that
 * requests them.
 */
export async function answerResponse(operation: Operation, answer: unknown, { request, ...options }: AnswerOptions): Promise<Response> {
  if (operation.stream) {
    const respond = accepts(request.headers, 'text/event-stream') ? eventStreamResponse : jsonlResponse
    return respond(answer as AsyncIterable<unknown>, options)
  }
  if (operation.output === 'bytes') return bytesResponse(operation, answer as BytesAnswer | BytesStream, options)
  if (answer instanceof EventsAnswer) return completionEventsResponse(answer, options)
  if (answer instanceof JsonPieces) return jsonPiecesResponse(answer, options)
  const { value, status, headers } = answer instanceof HttpAnswer ? answer : new HttpAnswer(answer)
  return new Response(toBody(stringifyJson(value)), { status, headers: { ...headers, 'content-type': 'application/json' } })
}

function toBody(text: string): string | Uint8Array<ArrayBuffer> {
  return text.length < minEncodedLength ? text : Buffer.from(text)
}
