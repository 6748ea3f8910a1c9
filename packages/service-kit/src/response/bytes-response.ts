import type { BytesAnswer, BytesStream, Operation } from '@heddle/core-api'
import { StalledReader, type StreamOptions } from './streamed-response.ts'

/** Stored bytes were written by users: a browser must save them, never run them. */
const stored = { 'content-disposition': 'attachment', 'content-security-policy': "sandbox; default-src 'none'" }

/** Answers with bytes: all at once, or while they are read and no faster than the client reads. */
export function bytesResponse(operation: Operation, answer: BytesAnswer | BytesStream, options: StreamOptions): Response {
  // Answers of a protocol that takes bytes too are our own.
  const headers = { 'content-type': answer.content_type, ...(operation.bytes ? {} : stored) }
  if ('bytes' in answer) return new Response(answer.bytes as Uint8Array<ArrayBuffer>, { headers })
  const body = new ReadableStream(bytesSource(answer, options), { highWaterMark: 0 })
  return new Response(body, {
    status: answer.status,
    headers: { ...headers, ...answer.headers, 'content-length': String(answer.sizeBytes) },
  })
}

/** Cancels the content when the client leaves or stalls, so that no file stays open. */
function bytesSource(answer: BytesStream, { stallMs = 30_000, abort, onEnd }: StreamOptions): UnderlyingDefaultSource<Uint8Array> {
  const iterator = answer.content[Symbol.asyncIterator]()
  let bytes = 0
  let ended = false
  let stall: NodeJS.Timeout | undefined
  const end = (error?: unknown) => {
    if (ended) return
    ended = true
    clearTimeout(stall)
    onEnd?.(error === undefined ? { bytes } : { bytes, error })
  }
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    if (ended) return
    end(error)
    answer.cancel()
    // The length was announced: a cut connection is the only honest end of fewer bytes.
    if (abort) abort()
    else controller.error(error)
  }
  return {
    async pull(controller) {
      clearTimeout(stall)
      try {
        const next = await iterator.next()
        if (ended) return
        if (next.done) {
          end()
          controller.close()
          return
        }
        bytes += next.value.byteLength
        controller.enqueue(next.value)
        stall = setTimeout(() => fail(controller, new StalledReader(`nothing was read for ${stallMs} ms`)), stallMs)
      } catch (error) {
        fail(controller, error)
      }
    },
    cancel() {
      if (ended) return
      end()
      answer.cancel()
    },
  }
}
