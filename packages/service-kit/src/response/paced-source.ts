/** How a stream ended. */
export interface StreamEnd {
  bytes: number
  /** Absent when everything was sent or the client left. */
  error?: unknown
}

export interface PaceOptions {
  /** Cuts the connection: an error after the first byte must not look like content, nor like the end. Without it the body fails. */
  abort?: () => void
  /** Called once after the last chunk was sent. */
  onEnd?: (end: StreamEnd) => void
  /** Milliseconds that the reader may take for one chunk. Default 30 s. */
  stallMs?: number
}

/** Source of the chunks of a body. */
export interface Pieces {
  /** Not called again after the last chunk, which may be empty. */
  next(): Promise<{ bytes: Uint8Array; isLast: boolean }>
  /** Called when the rest will not be read. */
  leave(): void
}

/** The client read nothing for too long. */
export class StalledReader extends Error {
  override readonly name = 'StalledReader'
}

/** Pulls a chunk when the client has read the one before, and cancels the source when the client leaves or stalls, or a chunk fails. */
export function pacedSource(pieces: Pieces, { stallMs = 30_000, onEnd, abort }: PaceOptions): UnderlyingDefaultSource<Uint8Array> {
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

  return {
    async pull(controller) {
      clearTimeout(stall)
      try {
        const piece = await pieces.next()
        if (ended) return
        bytes += piece.bytes.byteLength
        if (piece.bytes.byteLength > 0) controller.enqueue(piece.bytes)
        if (!piece.isLast)
          stall = setTimeout(() => fail(controller, new StalledReader(`the client read nothing for ${stallMs} ms`)), stallMs)
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
