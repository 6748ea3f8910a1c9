import { tooManyRequests } from '@heddle/core-api'
import { createFairQueue, type Flow } from '@heddle/service-kit'
import { Piscina } from 'piscina'
import { prepareSpans, type PreparedRequest, type SpanRequest } from './prepare-spans.ts'

/** Prepares export requests, off the event loop where that pays. */
export interface SpanPreparer {
  /** Takes the bytes of the request: they may be gone afterwards. Senders take turns at the threads. @throws ApiError 429 when too many wait */
  prepare(request: SpanRequest, flow: Flow): Promise<PreparedRequest>
  /** Takes rows back that nobody reads any more: their memory serves later requests. */
  release(rows: Uint8Array): void
  close(): Promise<void>
}

export interface SpanPreparerOptions {
  /** Module of the worker threads; undefined prepares everything on the event loop. */
  worker: URL | undefined
  /** Requests of fewer bytes are prepared where they arrive: handing them over would cost more. */
  minBytes?: number
  threads?: number
  /** Requests that wait for a thread; more are refused with 429. */
  maxWaiting?: number
}

/** A thread has its next request at hand, and no more than that: all others wait where they take turns. */
const requestsOfThread = 2
/** Memory that waits for its next request. */
const maxSpares = 4
const maxSpareBytes = 4 << 20

export function createSpanPreparer({ worker, minBytes = 256 * 1024, threads = 1, maxWaiting = 256 }: SpanPreparerOptions): SpanPreparer {
  if (worker === undefined) return { prepare: async (request) => prepareSpans(request), release() {}, close: async () => {} }
  const pool = new Piscina<SpanRequest, PreparedRequest>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    ...(worker.pathname.endsWith('.ts') && { execArgv: ['--import', 'tsx'] }),
  })
  // Memory that went to and fro once is no garbage of this thread, whose heap is searched as a whole when much of that gathers.
  const spares: ArrayBuffer[] = []
  const waiting = createFairQueue<() => void>()
  let running = 0

  function startNext(): void {
    if (running < threads * requestsOfThread) waiting.next(() => true)?.()
  }

  /** Resolves when the turn of a request has come. */
  function turn(flow: Flow, bytes: number): Promise<void> {
    if (waiting.size >= maxWaiting)
      throw tooManyRequests(`${maxWaiting} large export requests are waiting already; send again a little later`, 1)
    return new Promise((resolve) => {
      waiting.push(flow, () => {
        running++
        waiting.begin(flow, bytes)
        resolve()
      })
      startNext()
    })
  }

  return {
    async prepare(request, flow) {
      if (request.bytes.length < minBytes) return prepareSpans(request)
      await turn(flow, request.bytes.length)
      try {
        const memory = spares.pop()
        const transferList = [...buffersOf(request), ...(memory ? [memory] : [])]
        return await pool.run({ ...request, ...(memory && { memory }) }, { transferList })
      } finally {
        running--
        startNext()
      }
    },
    release({ buffer }) {
      const isOfUse = buffer.byteLength >= minBytes && buffer.byteLength <= maxSpareBytes
      if (isOfUse && buffer instanceof ArrayBuffer && spares.length < maxSpares && !spares.includes(buffer)) spares.push(buffer)
    },
    close: () => pool.close({ force: true }),
  }
}

/** What a thread can be handed over: bytes that do not share their memory with others. */
function buffersOf({ bytes }: SpanRequest): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}
