import type { Bytes } from '../encoding/concat-bytes.ts'

export interface TransportRequest {
  /** In parts, to be sent one after the other. */
  body: readonly Bytes[]
  headers: Readonly<Record<string, string>>
  /** For the request with its answer. */
  timeoutMs: number
  signal: AbortSignal
}

/** What a server answered, or why there is no answer. */
export type TransportAnswer =
  | {
      kind: 'answer'
      status: number
      retryAfter: string | undefined
      /** What arrived of it, at most 4 MB. */
      body: Uint8Array
    }
  | {
      kind: 'failure'
      reason: string
      /** True when an idle connection had been closed by the server, which says nothing about the server. */
      staleConnection: boolean
    }

/** Carries requests to the one address it was made for. */
export interface Transport {
  /** Never rejects, and settles within the time limit. */
  send(request: TransportRequest): Promise<TransportAnswer>
  /** Closes idle connections. */
  close(): void
}

export const maxAnswerBytes = 4 * 1024 * 1024

/** How long the rest of an answer is waited for once its status is known. */
export const answerBodyTimeoutMs = 1000
