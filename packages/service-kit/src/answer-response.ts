import type { BytesAnswer, Operation } from '@heddle/core-api'
import { stringifyJson } from './json/stringify-json.ts'
import { type JsonlOptions, jsonlResponse } from './jsonl-response.ts'

/** Encodes what a handler returned, as its operation declares: 200 with JSON, lines of JSON or bytes. */
export async function answerResponse(operation: Operation, answer: unknown, stream: JsonlOptions): Promise<Response> {
  if (operation.stream) return jsonlResponse(answer as AsyncIterable<unknown>, stream)
  if (operation.output === 'bytes') return bytesResponse(operation, answer as BytesAnswer)
  return new Response(stringifyJson(answer), { headers: { 'content-type': 'application/json' } })
}

/** Stored bytes were written by users: a browser must save them, never run them. Answers of a protocol that takes bytes too are our own. */
function bytesResponse(operation: Operation, { bytes, content_type }: BytesAnswer): Response {
  const stored = { 'content-disposition': 'attachment', 'content-security-policy': "sandbox; default-src 'none'" }
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { 'content-type': content_type, ...(operation.bytes ? {} : stored) } })
}
