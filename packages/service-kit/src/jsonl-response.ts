import { Buffer } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { JsonText } from '@heddle/core-api'
import { stringifyJson } from '@heddle/json'

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
  /** Bytes gathered for one write. Default 1 MiB. */
  chunkBytes?: number
  /** Time after which a row is sent although its piece is not full. Default 50 ms. */
  flushMs?: number
}

/** The client took nothing for too long. */
export class StalledReader extends Error {
  override readonly name = 'StalledReader'
}

/**
 * Sends rows as lines of JSON while they come, no faster than the client reads. Rows that need no waiting after the first one go out with it,
 * and where they are all, the answer has a length. Waits for the first row, so whatever fails before it rejects here.
 * The source is ended (`return`) when the client leaves or stalls.
 */
export async function jsonlResponse(rows: AsyncIterable<unknown>, options: JsonlOptions = {}): Promise<Response> {
  const lines = gatherLines(rows[Symbol.asyncIterator](), options.chunkBytes ?? 1_048_576)
  await lines.atHand()
  const headers = { 'content-type': 'application/jsonl' }
  if (!lines.ended) return new Response(new ReadableStream(jsonlSource(lines, options), { highWaterMark: 0 }), { headers })
  const whole = lines.take()
  options.onEnd?.({ bytes: whole.byteLength })
  return new Response(whole, { headers })
}

/**
 * Lines of rows, up to about so many bytes at a time. Each line is encoded by itself: one letter beyond Latin-1 in a text makes the whole of it
 * take twice as long.
 */
function gatherLines(iterator: AsyncIterator<unknown>, bytes: number) {
  let lines: Buffer[] = []
  let gathered = 0
  let ended = false
  let underWay: Promise<void> | undefined

  const add = async () => {
    const next = await iterator.next()
    if (next.done) {
      ended = true
      return
    }
    const line = Buffer.from(toLine(next.value))
    lines.push(line)
    gathered += line.byteLength
  }
  const fill = async () => {
    while (gathered < bytes && !ended) await add()
  }
  // Filling may be over at once, and is forgotten only then: where it failed, whoever asks next is told.
  const gather = () =>
    (underWay ??= fill().then(() => {
      underWay = undefined
    }))

  return {
    /** True when nothing comes after what was gathered. */
    get ended() {
      return ended
    },
    /** The first row and those that follow it without a wait. The next `gather` tells what fails later. */
    async atHand() {
      await add()
      const piece = gather()
      piece.catch(() => undefined)
      await Promise.race([piece, setImmediate()])
    },
    /** Resolves when a piece is full or the rows have ended. */
    gather,
    take(): Buffer<ArrayBuffer> {
      const taken = Buffer.concat(lines, gathered)
      lines = []
      gathered = 0
      return taken
    },
    leave: () => void Promise.resolve(iterator.return?.()).catch(() => undefined),
  }
}

/** One line. White space of a ready text may hold line breaks, which inside JSON stand only between tokens. */
function toLine(row: unknown): string {
  const json = stringifyJson(row)
  const mayHoldBreaks = row instanceof JsonText && (json.includes('\n') || json.includes('\r'))
  return `${mayHoldBreaks ? json.replace(/[\r\n]+/g, ' ') : json}\n`
}

function jsonlSource(lines: ReturnType<typeof gatherLines>, options: JsonlOptions): UnderlyingDefaultSource<Uint8Array> {
  const { stallMs = 30_000, flushMs = 50 } = options
  let isFirst = true
  let bytes = 0
  let ended = false
  let stall: NodeJS.Timeout | undefined

  const end = (error?: unknown) => {
    ended = true
    clearTimeout(stall)
    options.onEnd?.(error === undefined ? { bytes } : { bytes, error })
  }
  const send = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (ended) return
    const chunk = lines.take()
    bytes += chunk.byteLength
    if (chunk.byteLength > 0) controller.enqueue(chunk)
  }
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    if (ended) return
    end(error)
    lines.leave()
    if (options.abort) options.abort()
    else controller.error(error)
  }

  return {
    async pull(controller) {
      clearTimeout(stall)
      const flush = setTimeout(send, flushMs, controller)
      try {
        if (!isFirst) await lines.gather()
        isFirst = false
        send(controller)
        if (ended) return
        if (!lines.ended) stall = setTimeout(() => fail(controller, new StalledReader(`nothing was read for ${stallMs} ms`)), stallMs)
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
      lines.leave()
    },
  }
}
