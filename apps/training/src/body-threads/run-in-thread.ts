import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { tooLarge } from '@heddle/core-api/internal'
import { fromTaskFailure, type TaskFailure } from './task-failure.ts'

/** Data passed to a thread at its start. */
export interface ThreadData {
  /** Name of the task. */
  task: string
  input: unknown
}

export type FromThread = { at: 'content' } | { at: 'item'; item: unknown } | { at: 'end' } | { at: 'failure'; failure: TaskFailure }

export interface ThreadTask extends ThreadData {
  /** Module of the thread. */
  worker: URL
  content: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** Heap limit of a thread, in MiB: a body with many tiny values takes many times its JSON in memory. */
const maxHeapMiB = 1_024

/**
 * Runs a task in its own thread, which ends with it, and yields its items one at a time.
 * @throws the error of the task, ApiError 413 if it needs too much memory, and the reason of `signal`
 */
export async function* runInThread({ worker: entry, task, input, content, signal }: ThreadTask): AsyncGenerator<unknown> {
  signal.throwIfAborted()
  const worker = startWorker(entry, { task, input })
  const chunks = content[Symbol.asyncIterator]()
  try {
    for await (const [message] of on(worker, 'message', { signal }) as AsyncIterable<[FromThread]>) {
      if (message.at === 'end') return
      if (message.at === 'failure') throw fromTaskFailure(message.failure)
      if (message.at === 'item') yield message.item
      respond(worker, message.at === 'content' ? await nextOf(chunks) : null)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw isOutOfMemory(error) ? tooLarge(`the values of the body need more than ${maxHeapMiB} MiB of memory; send fewer in one`) : error
  } finally {
    await worker.terminate()
    await chunks.return?.()
  }
}

/** Approximate bytes sent per message: each message costs two wake-ups, which take long while the cores are busy. */
const sentBytes = 2 ** 20

/** The next chunks, copied together: a chunk may be a view of a much larger buffer, all of which would be cloned. */
async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array<ArrayBuffer> | null> {
  const gathered: Uint8Array[] = []
  for (let bytes = 0; bytes < sentBytes; bytes += gathered.at(-1)!.byteLength) {
    const { done, value } = await chunks.next()
    if (done) break
    gathered.push(value as Uint8Array)
  }
  return gathered.length === 0 ? null : new Uint8Array(Buffer.concat(gathered))
}

function respond(worker: Worker, content: Uint8Array<ArrayBuffer> | null): void {
  worker.postMessage(content, content ? [content.buffer] : [])
}

/** A thread of Node 20 does not begin with a module in TypeScript, so the source is imported once a loader is there. */
function startWorker(entry: URL, workerData: ThreadData): Worker {
  const options = { workerData, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } }
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options)
  const loader = import.meta.resolve('tsx/esm/api')
  const code = `import('${loader}').then(({ register }) => { register(); return import('${entry.href}') })`
  return new Worker(code, { ...options, eval: true })
}

const isOutOfMemory = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
