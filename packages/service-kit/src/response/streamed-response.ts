import { Buffer } from 'node:buffer'
import { type GatheredPieces, gatherPieces } from './gather-pieces.ts'
import { pacedSource, type PaceOptions, type Pieces } from './paced-source.ts'

export interface StreamOptions extends PaceOptions {
  /** Bytes of a chunk. Default 1 MiB. */
  chunkBytes?: number
  /** Bytes of the first chunk, which is the whole response if no row is left. Default 4 MiB, or `chunkBytes` where it is set. */
  firstChunkBytes?: number
  /** Milliseconds after which a row is sent although its chunk is not full. Default 50. */
  flushMs?: number
}

/** How rows are written. */
export interface RowFormat {
  headers: Readonly<Record<string, string>>
  encode: (row: unknown) => string | Uint8Array
  /** Sent before the first row. */
  first?: string
  /** Sent after the last row. */
  last?: string
  /** Sent while no row arrives, so that proxies and clients do not time out. */
  heartbeat?: { text: string; everyMs: number }
}

/**
 * Streams rows as they arrive, with backpressure. Rows that are available together with the first are sent with it; if that is all of them, the
 * response has a Content-Length. Waits for the first row, at most until the first heartbeat, so an error before it rejects here.
 * The source is cancelled (`return`) when the client leaves or stalls.
 */
export async function streamedResponse(rows: AsyncIterable<unknown>, format: RowFormat, options: StreamOptions = {}): Promise<Response> {
  const { encode, headers, heartbeat } = format
  const pieceBytes = options.chunkBytes ?? 2 ** 20
  const pieces = gatherPieces(rows, { encode, pieceBytes, firstBytes: options.firstChunkBytes ?? options.chunkBytes ?? 2 ** 22 })
  await pieces.atHand(heartbeat?.everyMs)
  const take = framed(pieces, format)
  if (!pieces.ended) {
    const source = pacedSource(rowPieces(pieces, take, { ...(heartbeat && { heartbeat }), flushMs: options.flushMs ?? 50 }), options)
    return new Response(new ReadableStream(source, { highWaterMark: 0 }), { headers })
  }
  const { bytes } = take()
  options.onEnd?.({ bytes: bytes.byteLength })
  return new Response(bytes, { headers })
}

/** A chunk, and whether it is the last: taken at the same moment, since rows arrive while the response is sent. */
interface RowPiece {
  bytes: Buffer<ArrayBuffer>
  isLast: boolean
}

/** Takes the next chunk, with the text before the first row and after the last. */
function framed(pieces: GatheredPieces, { first = '', last = '' }: RowFormat): () => RowPiece {
  let before = first
  return () => {
    const isLast = pieces.ended
    const after = isLast ? last : ''
    const rows = pieces.take()
    const bytes = before || after ? Buffer.concat([Buffer.from(before), rows, Buffer.from(after)]) : rows
    before = ''
    return { bytes, isLast }
  }
}

/** First the items collected before the response began, then full chunks, or those that arrived in time; a heartbeat when none did. */
function rowPieces(
  pieces: GatheredPieces,
  take: () => RowPiece,
  { heartbeat, flushMs }: Pick<RowFormat, 'heartbeat'> & { flushMs: number },
): Pieces {
  let isFirst = true
  return {
    async next() {
      if (isFirst) {
        isFirst = false
        const piece = take()
        if (piece.bytes.byteLength > 0) return piece
      }
      if (!(await pieces.arrival(heartbeat?.everyMs))) return { bytes: Buffer.from(heartbeat?.text ?? ''), isLast: false }
      await pieces.full(flushMs)
      return take()
    },
    leave: () => pieces.leave(),
  }
}
