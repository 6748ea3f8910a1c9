/** How a stream ended. */
export interface StreamEnd {
  bytes: number
  /** Absent when everything was sent or the client left. */
  error?: unknown
}

export interface PaceOptions {
  /** Cuts the connection: an error after the first byte must not look like content, nor like the end. Without it the body fails. */
  abort?: () => void
  /** Called once after the last piece was sent. */
  onEnd?: (end: StreamEnd) => void
  /** Time that a reader may take over one piece. Default 30 s. */
  stallMs?: number
}

/** Where the pieces of a body come from. */
export interface Pieces {
  /** Nothing comes after the last piece, which may be empty. */
  next(): Promise<{ bytes: Uint8Array; isLast: boolean }>
  /** Called when nobody takes the rest. */
  leave(): void
}

/** The client took nothing for too long. */
export class StalledReader extends Error {
  override readonly name = 'StalledReader'
}

/** Asks for a piece when the client has taken the one before, and leaves the rest when the client leaves or stalls, or a piece fails. */
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
        if (!piece.isLast) stall = setTimeout(() => fail(controller, new StalledReader(`nothing was read for ${stallMs} ms`)), stallMs)
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
