import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { tooLarge } from '@heddle/core-api/internal'
import type { BodyTask } from './body-tasks.ts'
import { fromTaskFailure, type TaskFailure } from './task-failure.ts'

/** What a thread is started with. */
export interface ThreadData {
  task: BodyTask
  input: unknown
}

export type FromThread = { at: 'content' } | { at: 'item'; item: unknown } | { at: 'end' } | { at: 'failure'; failure: TaskFailure }

export interface ThreadTask extends ThreadData {
  /** Module of the thread; default the one beside this module. */
  worker?: URL | undefined
  content: AsyncIterable<Uint8Array>
  signal: AbortSignal
}

/** Of a thread, in MiB: what a body becomes in memory is many times its JSON where its values are tiny. */
const maxHeapMiB = 1_024

/**
 * Runs a task in a thread of its own, which ends with it, and yields what it yields, one at a time.
 * @throws what the task throws, ApiError 413 where it needs too much memory, and the reason of `signal`
 */
export async function* runInThread({ worker: entry = besideThis, task, input, content, signal }: ThreadTask): AsyncGenerator<unknown> {
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

/** Content that is sent at once, about: each time costs two wake-ups, which take long where the cores are busy. */
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

/** The build puts the module beside this one. */
const besideThis = new URL(import.meta.url.endsWith('.ts') ? './body-thread.ts' : './body-thread.js', import.meta.url)

/** A thread of Node 20 does not begin with a module in TypeScript, so the source is imported once a loader is there. */
function startWorker(entry: URL, workerData: ThreadData): Worker {
  const options = { workerData, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } }
  if (!entry.pathname.endsWith('.ts')) return new Worker(entry, options)
  const loader = import.meta.resolve('tsx/esm/api')
  const code = `import('${loader}').then(({ register }) => { register(); return import('${entry.href}') })`
  return new Worker(code, { ...options, eval: true })
}

const isOutOfMemory = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
