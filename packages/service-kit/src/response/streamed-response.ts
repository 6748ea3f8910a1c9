import { Buffer } from 'node:buffer'
import { type GatheredPieces, gatherPieces } from './gather-pieces.ts'

/** How a stream ended. */
export interface StreamEnd {
  bytes: number
  /** Absent when all rows were sent or the client left. */
  error?: unknown
}

export interface StreamOptions {
  /** Cuts the connection: an error after the first byte must not look like a row, nor like the end. Without it the body fails. */
  abort?: () => void
  /** Called once after the last piece was sent. */
  onEnd?: (end: StreamEnd) => void
  /** Time that a reader may take over one piece. Default 30 s. */
  stallMs?: number
  /** Bytes gathered for one write. Default 1 MiB. */
  chunkBytes?: number
  /** Time after which a row is sent although its piece is not full. Default 50 ms. */
  flushMs?: number
}

/** How rows are written. */
export interface RowFormat {
  headers: Readonly<Record<string, string>>
  encode: (row: unknown) => string
  /** Sent before the first row. */
  first?: string
  /** Sent after the last row. */
  last?: string
  /** Sent while no row comes, so that nobody takes the connection for dead. */
  heartbeat?: { text: string; everyMs: number }
}

/** The client took nothing for too long. */
export class StalledReader extends Error {
  override readonly name = 'StalledReader'
}

/**
 * Sends rows while they come, no faster than the client reads. Rows that need no waiting after the first one go out with it, and where they are
 * all, the answer has a length. Waits for the first row, at most until the first heartbeat, so whatever fails before it rejects here.
 * The source is ended (`return`) when the client leaves or stalls.
 */
export async function streamedResponse(rows: AsyncIterable<unknown>, format: RowFormat, options: StreamOptions = {}): Promise<Response> {
  const { encode, headers, heartbeat } = format
  const pieces = gatherPieces(rows, { encode, pieceBytes: options.chunkBytes ?? 2 ** 20 })
  await pieces.atHand(heartbeat?.everyMs)
  const take = framed(pieces, format)
  if (!pieces.ended) return new Response(new ReadableStream(rowSource(pieces, take, format, options), { highWaterMark: 0 }), { headers })
  const whole = take()
  options.onEnd?.({ bytes: whole.byteLength })
  return new Response(whole, { headers })
}

/** Takes what was gathered, with what stands before the first row and after the last. */
function framed(pieces: GatheredPieces, { first = '', last = '' }: RowFormat): () => Buffer<ArrayBuffer> {
  let before = first
  return () => {
    const after = pieces.ended ? last : ''
    const piece = pieces.take()
    const whole = before || after ? Buffer.concat([Buffer.from(before), piece, Buffer.from(after)]) : piece
    before = ''
    return whole
  }
}

function rowSource(
  pieces: GatheredPieces,
  take: () => Buffer<ArrayBuffer>,
  { heartbeat }: RowFormat,
  { stallMs = 30_000, flushMs = 50, onEnd, abort }: StreamOptions,
): UnderlyingDefaultSource<Uint8Array> {
  let isFirst = true
  let bytes = 0
  let ended = false
  let stall: NodeJS.Timeout | undefined

  const end = (error?: unknown) => {
    ended = true
    clearTimeout(stall)
    onEnd?.(error === undefined ? { bytes } : { bytes, error })
  }
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    if (ended) return
    end(error)
    pieces.leave()
    if (abort) abort()
    else controller.error(error)
  }
  /** A full piece, or what came in time; a heartbeat when nothing did. */
  const nextPiece = async (): Promise<Buffer<ArrayBuffer>> => {
    if (isFirst) {
      isFirst = false
      const piece = take()
      if (piece.byteLength > 0) return piece
    }
    if (!(await pieces.arrival(heartbeat?.everyMs))) return Buffer.from(heartbeat?.text ?? '')
    await pieces.full(flushMs)
    return take()
  }

  return {
    async pull(controller) {
      clearTimeout(stall)
      try {
        const piece = await nextPiece()
        if (ended) return
        bytes += piece.byteLength
        if (piece.byteLength > 0) controller.enqueue(piece)
        if (!pieces.ended) stall = setTimeout(() => fail(controller, new StalledReader(`nothing was read for ${stallMs} ms`)), stallMs)
        else {
          controller.close()
          end()
        }
      } catch (error) {
        fail(controller, error)
      }
    },
    cancel() {
      if (ended) return
      end()
      pieces.leave()
    },
  }
}
