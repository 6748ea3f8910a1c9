import { Buffer } from 'node:buffer'
import { JsonText } from '@heddle/core-api'
import { stringifyJson } from './json/stringify-json.ts'

/** How a stream ended. */
export interface StreamEnd {
  bytes: number
  /** Absent when all rows were sent or the client left. */
  error?: unknown
}

export interface JsonlOptions {
  /** Cuts the connection: an error after the first byte must not look like a row, nor like the end. Without it the body fails. */
  abort?: () => void
  /** Told once, when nothing more will be sent. */
  onEnd?: (end: StreamEnd) => void
  /** Time that a reader may take over one piece. Default 30 s. */
  stallMs?: number
  /** Characters gathered for one write. Default 64 Ki. */
  chunkLength?: number
  /** Time after which a row is sent although its piece is not full. Default 50 ms. */
  flushMs?: number
}

/** The client took nothing for too long. */
export class StalledReader extends Error {
  override readonly name = 'StalledReader'
}

/**
 * Sends rows as lines of JSON while they come, no faster than the client reads. The first row goes out alone, at once.
 * Waits for that row, so whatever fails before it rejects here. The source is ended (`return`) when the client leaves or stalls.
 */
export async function jsonlResponse(rows: AsyncIterable<unknown>, options: JsonlOptions = {}): Promise<Response> {
  const iterator = rows[Symbol.asyncIterator]()
  const first = await iterator.next()
  const headers = { 'content-type': 'application/jsonl' }
  if (first.done) {
    options.onEnd?.({ bytes: 0 })
    return new Response('', { headers })
  }
  return new Response(new ReadableStream(jsonlSource(iterator, toLine(first.value), options), { highWaterMark: 0 }), { headers })
}

/** One line. White space of a ready text may hold line breaks, which inside JSON stand only between tokens. */
function toLine(row: unknown): string {
  const json = stringifyJson(row)
  const mayHoldBreaks = row instanceof JsonText && (json.includes('\n') || json.includes('\r'))
  return `${mayHoldBreaks ? json.replace(/[\r\n]+/g, ' ') : json}\n`
}

function jsonlSource(iterator: AsyncIterator<unknown>, firstLine: string, options: JsonlOptions): UnderlyingDefaultSource<Uint8Array> {
  const { stallMs = 30_000, chunkLength = 65_536, flushMs = 50 } = options
  let text = firstLine
  let bytes = 0
  let wanted = 1
  let ended = false
  let stall: NodeJS.Timeout | undefined

  const end = (error?: unknown) => {
    ended = true
    clearTimeout(stall)
    options.onEnd?.(error === undefined ? { bytes } : { bytes, error })
  }
  const leave = () => void Promise.resolve(iterator.return?.()).catch(() => undefined)
  const send = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (text === '' || ended) return
    const chunk = Buffer.from(text)
    text = ''
    bytes += chunk.byteLength
    controller.enqueue(chunk)
  }
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    if (ended) return
    end(error)
    leave()
    if (options.abort) options.abort()
    else controller.error(error)
  }
  const gather = async () => {
    while (text.length < wanted) {
      const next = await iterator.next()
      if (next.done) return false
      text += toLine(next.value)
    }
    return true
  }

  return {
    async pull(controller) {
      clearTimeout(stall)
      const flush = setTimeout(send, flushMs, controller)
      try {
        const more = await gather()
        send(controller)
        wanted = chunkLength
        if (ended) return
        if (more) stall = setTimeout(() => fail(controller, new StalledReader(`nothing was read for ${stallMs} ms`)), stallMs)
        else {
          controller.close()
          end()
        }
      } catch (error) {
        fail(controller, error)
      } finally {
        clearTimeout(flush)
      }
    },
    cancel() {
      if (ended) return
      end()
      leave()
    },
  }
}
