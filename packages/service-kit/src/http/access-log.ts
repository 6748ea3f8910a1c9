import type { ServerResponse } from 'node:http'
import type { ServiceLog } from '../response/error-body.ts'

/** One line of the access log. Never holds a key, a payload or a query string. */
export interface AccessEntry {
  method: string
  /** Name of the operation; null when no path matched. */
  operation: string | null
  status: number
  /** From the match of the route to the end of the response, in milliseconds. */
  ms: number
  /** Part of it in which the request was queued, in milliseconds. */
  waited: number
  /** Bytes written to the connection, headers included; 0 without a connection. */
  bytes: number
  /** Id of the key, not the key; null without one. */
  key: string | null
  /** Name of the error that cut the response short. */
  cut?: string
}

/** What is known of a request while it is handled. */
export interface AccessRecord {
  readonly method: string
  readonly operation: string | null
  key: string | null
  waitedMs: number
  cut?: string
  /** Writes the line once the response was sent; at once where there is no connection. */
  finish(status: number): void
}

export interface AccessStart {
  method: string
  operation: string | null
  outgoing: ServerResponse | undefined
  log: ServiceLog | undefined
  nowMs: () => number
}

/** Starts measuring one request. */
export function startAccess({ method, operation, outgoing, log, nowMs }: AccessStart): AccessRecord {
  const startedMs = nowMs()
  const socket = outgoing?.socket
  const bytesBefore = socket?.bytesWritten ?? 0
  const record: AccessRecord = {
    method,
    operation,
    key: null,
    waitedMs: 0,
    finish(status) {
      const write = () => {
        const entry: AccessEntry = {
          method,
          operation,
          status,
          ms: rounded(nowMs() - startedMs),
          waited: rounded(record.waitedMs),
          bytes: (socket?.bytesWritten ?? 0) - bytesBefore,
          key: record.key,
        }
        log?.info(record.cut === undefined ? entry : { ...entry, cut: record.cut }, 'request')
      }
      if (outgoing && !outgoing.closed) outgoing.once('close', write)
      else write()
    },
  }
  return record
}

const rounded = (ms: number) => Math.round(ms * 10) / 10
