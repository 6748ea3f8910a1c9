import type { ServerResponse } from 'node:http'
import type { ServiceLog } from '../response/error-body.ts'
import type { BodyMeter } from '../request/read-body.ts'
import { requestIdField } from '../response/request-id.ts'
import type { EndedRequest, RequestStats } from './request-stats.ts'

/** One line of the access log. Never holds a key, a payload or a query string. Times are measured from the match of the route. */
export interface AccessEntry extends EndedRequest {
  method: string
  /** Bytes written to the connection, headers included; 0 without a connection. */
  bytes: number
  /** Id of the key, not the key; null without one. */
  key: string | null
  /** Id that the response carries; absent without a connection. */
  requestId?: string
}

/** Data of a request while it is handled. */
export interface AccessRecord {
  readonly method: string
  readonly operation: string | null
  key: string | null
  waitedMs: number
  cut?: string
  /** Why the request got an error; see `CountedRequest`. */
  refusal?: string
  /** Counts its body. */
  meter?: Pick<BodyMeter, 'bytes'>
  /** Does the work of the request, for its span. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Writes the line once the response has been sent; immediately if there is no connection. */
  finish(status: number): void
}

export interface AccessStart {
  method: string
  operation: string | null
  headers: Headers
  outgoing: ServerResponse | undefined
  log: ServiceLog | undefined
  requests: RequestStats | undefined
  nowMs: () => number
}

/** Starts measuring one request. */
export function startAccess({ method, operation, headers, outgoing, log, requests, nowMs }: AccessStart): AccessRecord {
  const startedMs = nowMs()
  const socket = outgoing?.socket
  const bytesBefore = socket?.bytesWritten ?? 0
  const span = requests?.trace?.({ method, operation, headers })
  const record: AccessRecord = {
    run: (work) => (span ? span.run(work) : work()),
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
          ...requestIdField(outgoing),
          ...(record.cut !== undefined && { cut: record.cut }),
        }
        const { refusal, meter } = record
        const counted = { ...entry, ...(refusal !== undefined && { refusal }), ...(meter && { bodyBytes: meter.bytes }) }
        requests?.note(counted)
        span?.end(counted)
        log?.info(entry, 'request')
      }
      if (outgoing && !outgoing.closed) outgoing.once('close', write)
      else write()
    },
  }
  return record
}

const rounded = (ms: number) => Math.round(ms * 10) / 10
