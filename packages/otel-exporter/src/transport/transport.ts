import type { Bytes } from '../encoding/concat-bytes.ts'

export interface TransportRequest {
  /** In chunks, to be sent in order. */
  body: readonly Bytes[]
  headers: Readonly<Record<string, string>>
  /** Timeout of the request, including its response. */
  timeoutMs: number
  signal: AbortSignal
}

/** A response, or why there is none. */
export type TransportAnswer =
  | {
      kind: 'answer'
      status: number
      retryAfter: string | undefined
      /** As far as it arrived, at most 4 MB. */
      body: Uint8Array
    }
  | {
      kind: 'failure'
      reason: string
      /** True when the server had closed an idle connection, which does not mean that it is unavailable. */
      staleConnection: boolean
    }

/** Sends requests to one address. */
export interface Transport {
  /** Never rejects, and settles within the time limit. */
  send(request: TransportRequest): Promise<TransportAnswer>
  /** Closes idle connections. */
  close(): void
}

export const maxAnswerBytes = 4 * 1024 * 1024

/** Maximum wait for the rest of a response once its status is known. */
export const answerBodyTimeoutMs = 1000
