import type { JsonPieces } from '@heddle/core-api/internal'
import { streamedResponse, type StreamOptions } from './streamed-response.ts'

/** Sends one JSON value whose text is there in pieces, encoded as the client takes it. */
export function jsonPiecesResponse({ pieces }: JsonPieces, options: StreamOptions = {}): Promise<Response> {
  return streamedResponse(
    inOrder(pieces),
    { headers: { 'content-type': 'application/json' }, encode: (piece) => piece as string | Uint8Array },
    options,
  )
}

async function* inOrder<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
  yield* pieces
}
