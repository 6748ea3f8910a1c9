import type { BytesAnswer, Operation } from '@heddle/core-api'
import type { BytesStream } from '@heddle/core-api/internal'
import { pacedSource, type PaceOptions, type Pieces } from './paced-source.ts'

/** Stored bytes were written by users: a browser must save them, never run them. */
const stored = { 'content-disposition': 'attachment', 'content-security-policy': "sandbox; default-src 'none'" }

/** Answers with bytes: in one piece, or while they are read and no faster than the client reads. */
export function bytesResponse(operation: Operation, answer: BytesAnswer | BytesStream, options: PaceOptions): Response {
  // Responses of operations that take bytes as well are produced by this server.
  const headers = { 'content-type': answer.content_type, ...(operation.bytes ? {} : stored) }
  if ('bytes' in answer) return new Response(answer.bytes as Uint8Array<ArrayBuffer>, { headers })
  const body = new ReadableStream(pacedSource(bytePieces(answer), options), { highWaterMark: 0 })
  return new Response(body, {
    status: answer.status,
    headers: { ...headers, ...answer.headers, 'content-length': String(answer.sizeBytes) },
  })
}

/** The content is cancelled when the client leaves or stalls, so that no file is left open. */
function bytePieces({ content, cancel }: BytesStream): Pieces {
  const iterator = content[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await iterator.next()
      return { bytes: done ? new Uint8Array() : value, isLast: done === true }
    },
    leave: cancel,
  }
}
