import { tooManyRequests } from '@heddle/core-api/internal'
import { createFairQueue, type Flow } from '@heddle/service-kit'
import { Piscina } from 'piscina'
import { createBufferPool } from './buffer-pool.ts'
import { prepareSpans, type PreparedRequest, type SpanRequest } from './prepare-spans.ts'

/** Prepares export requests, off the event loop where that pays. */
export interface SpanPreparer {
  /** Takes the bytes of the request: they may be gone afterwards. Senders take turns at the threads. @throws ApiError 429 when too many wait */
  prepare(request: SpanRequest, flow: Flow): Promise<PreparedRequest>
  /** Returns the buffer of rows that are no longer read to the pool. */
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
const maxPooledBuffers = 4
const maxPooledBytes = 4 << 20

export function createSpanPreparer({ worker, minBytes = 256 * 1024, threads = 1, maxWaiting = 256 }: SpanPreparerOptions): SpanPreparer {
  if (worker === undefined) return { prepare: async (request) => prepareSpans(request), release() {}, close: async () => {} }
  const pool = new Piscina<SpanRequest, PreparedRequest>({
    filename: worker.href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    ...(worker.pathname.endsWith('.ts') && { execArgv: ['--import', 'tsx'] }),
  })
  // A buffer that is transferred to a thread and back becomes garbage of this one, and much of that makes it collect its whole heap.
  const rowBuffers = createBufferPool({ minBytes, maxBytes: maxPooledBytes, maxBuffers: maxPooledBuffers })
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
        const rowBuffer = rowBuffers.acquire()
        const transferList = [...buffersOf(request), ...(rowBuffer ? [rowBuffer] : [])]
        return await pool.run({ ...request, ...(rowBuffer && { rowBuffer }) }, { transferList })
      } finally {
        running--
        startNext()
      }
    },
    release: ({ buffer }) => rowBuffers.release(buffer),
    close: () => pool.close({ force: true }),
  }
}

/** What a thread can be handed over: bytes that do not share their memory with others. */
function buffersOf({ bytes }: SpanRequest): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}
