import { tooManyRequests } from '@heddle/core-api/internal'
import { createFairQueue, type Flow } from '@heddle/service-kit'
import { Piscina } from 'piscina'
import { createBufferPool } from './buffer-pool.ts'
import { prepareLogs, type PreparedLogs } from './prepare-logs.ts'
import { prepareSpans } from './prepare-spans.ts'
import type { PreparedRequest, SpanRequest } from './span-request.ts'

/** Prepares export requests, off the event loop where that pays. */
export interface SpanPreparer {
  /** May transfer the bytes of the request to a thread. Flows share the threads fairly. @throws ApiError 429 when too many wait */
  prepare(request: SpanRequest, flow: Flow): Promise<PreparedRequest>
  /** The same for log records. */
  prepareLogs(request: SpanRequest, flow: Flow): Promise<PreparedLogs>
  /** Returns the buffer of rows to the pool, once they are no longer read. */
  release(rows: Uint8Array): void
  close(): Promise<void>
}

export interface SpanPreparerOptions {
  /** Module of the worker threads; undefined prepares everything on the event loop. */
  worker: URL | undefined
  /** Requests of fewer bytes are prepared on the event loop: a transfer would cost more. */
  minBytes?: number
  threads?: number
  /** Requests that wait for a thread; more are refused with 429. */
  maxWaiting?: number
}

/** The one that a thread runs and its next: all others wait in the fair queue. */
const requestsOfThread = 2
const maxPooledBuffers = 4
const maxPooledBytes = 4 << 20

export function createSpanPreparer({ worker, minBytes = 256 * 1024, threads = 1, maxWaiting = 256 }: SpanPreparerOptions): SpanPreparer {
  if (worker === undefined) {
    return {
      prepare: async (request) => prepareSpans(request),
      prepareLogs: async (request) => prepareLogs(request),
      release() {},
      close: async () => {},
    }
  }
  const pool = new Piscina<SpanRequest, unknown>({
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

  /** Resolves when a thread can take the request. */
  function acquireThread(flow: Flow, bytes: number): Promise<void> {
    if (waiting.size >= maxWaiting) throw tooManyRequests(`${maxWaiting} large export requests are waiting already; retry shortly`, 1)
    return new Promise((resolve) => {
      waiting.push(flow, () => {
        running++
        waiting.charge(flow, bytes)
        resolve()
      })
      startNext()
    })
  }

  function withRowBuffer(request: SpanRequest): SpanRequest {
    const rowBuffer = rowBuffers.acquire(request.bytes.length)
    return rowBuffer === undefined ? request : { ...request, rowBuffer }
  }

  /** @param name of the exported function that the thread runs */
  async function runInThread(request: SpanRequest, flow: Flow, name: 'default' | 'logs'): Promise<unknown> {
    await acquireThread(flow, request.bytes.length)
    try {
      const inThread = name === 'default' ? withRowBuffer(request) : request
      const transferList = [...buffersOf(request), ...(inThread.rowBuffer ? [inThread.rowBuffer] : [])]
      return await pool.run(inThread, { transferList, name })
    } finally {
      running--
      startNext()
    }
  }

  return {
    async prepare(request, flow) {
      if (request.bytes.length < minBytes) return prepareSpans(withRowBuffer(request))
      return (await runInThread(request, flow, 'default')) as PreparedRequest
    },
    async prepareLogs(request, flow) {
      if (request.bytes.length < minBytes) return prepareLogs(request)
      return (await runInThread(request, flow, 'logs')) as PreparedLogs
    },
    release: ({ buffer }) => rowBuffers.release(buffer),
    close: () => pool.close({ force: true }),
  }
}

/** Buffers that can be transferred to a thread: those that contain only the request. */
function buffersOf({ bytes }: SpanRequest): ArrayBuffer[] {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
}
