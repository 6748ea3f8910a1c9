import type { BytesAnswer, BytesStream, Operation } from '@heddle/core-api'
import { stringifyJson } from '@heddle/json'
import { bytesResponse } from './bytes-response.ts'
import { type JsonlOptions, jsonlResponse } from './jsonl-response.ts'

/** Encodes what a handler returned, as its operation declares: JSON, lines of JSON or bytes. */
export async function answerResponse(operation: Operation, answer: unknown, stream: JsonlOptions): Promise<Response> {
  if (operation.stream) return jsonlResponse(answer as AsyncIterable<unknown>, stream)
  if (operation.output === 'bytes') return bytesResponse(operation, answer as BytesAnswer | BytesStream, stream)
  return new Response(stringifyJson(answer), { headers: { 'content-type': 'application/json' } })
}
