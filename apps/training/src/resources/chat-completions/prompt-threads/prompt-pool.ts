import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { badRequest, tooLarge } from '@heddle/core-api/internal'
import { fromTaskFailure } from '../../../body-threads/task-failure.ts'
import { createThreadTurns } from '../../../body-threads/thread-turns.ts'
import type { PreparedPrompt } from '../request/prepared-prompt.ts'
import type { FromPromptThread, PromptTask } from './prompt-task.ts'

export interface PromptPoolOptions {
  /** Module of the threads: `prompt-thread` of this package, as source or built. Default: the one next to this module. */
  worker?: URL
  threads?: number
  /** Requests that wait for a thread. */
  maxWaiting?: number
  /** Milliseconds in which a prompt is prepared. */
  limitMs?: number
}

/** Whose request it is, and until when. */
export interface PromptWork {
  caller: string
  signal: AbortSignal
}

/** Threads that prepare prompts, shared fairly among API keys. They are kept for further prompts. */
export interface PromptPool {
  /**
   * @throws ApiError 400 for what cannot be served or takes too long, 413 where it needs too much memory, 429 when too many wait; the reason of the signal,
   * whose abort ends the work
   */
  prepare(task: PromptTask, work: PromptWork): Promise<PreparedPrompt>
  close(): Promise<void>
}

/** Heap limit of a thread, in MiB: a conversation with many tiny values takes many times its JSON in memory. */
const maxHeapMiB = 1_024

export function createPromptPool({
  worker: entry = besideThis,
  threads = 2,
  maxWaiting = 64,
  limitMs = 30_000,
}: PromptPoolOptions = {}): PromptPool {
  const all = new Set<Worker>()
  const idle: Worker[] = []
  const turns = createThreadTurns({ threads, maxWaiting, waitingWork: 'long prompts wait to be prepared' })

  function takeThread(): Worker {
    const known = idle.pop()
    if (known) return known
    const worker = startThread(entry)
    all.add(worker)
    worker.once('exit', () => {
      all.delete(worker)
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
    })
    // A failure rejects the pending answer; for an idle thread, the exit event is enough.
    worker.on('error', () => undefined)
    return worker
  }

  async function run(task: PromptTask, signal: AbortSignal): Promise<PreparedPrompt> {
    const worker = takeThread()
    const late = AbortSignal.timeout(limitMs)
    try {
      const answered = once(worker, 'message', { signal: AbortSignal.any([signal, late]) }) as Promise<[FromPromptThread]>
      worker.postMessage(task, [])
      const [answer] = await answered
      idle.push(worker)
      if ('failure' in answer) throw fromTaskFailure(answer.failure)
      return answer.prepared
    } catch (error) {
      if (!idle.includes(worker)) void worker.terminate()
      signal.throwIfAborted()
      if (late.aborted)
        throw badRequest(`the prompt was not prepared within ${limitMs / 1_000} s; send fewer messages, tools or alternatives of a schema`)
      throw isOutOfMemory(error)
        ? tooLarge(`the prompt needs more than ${maxHeapMiB} MiB of memory to be prepared; send fewer messages or tools`)
        : error
    }
  }

  return {
    async prepare(task, { caller, signal }) {
      await turns.acquire(caller, signal)
      try {
        return await run(task, signal)
      } finally {
        turns.release()
      }
    },
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}

/** The build puts the module next to this one. */
const besideThis = new URL(import.meta.url.endsWith('.ts') ? './prompt-thread.ts' : './prompt-thread.js', import.meta.url)

/** A thread of Node 20 does not begin with a module in TypeScript, so the source is imported once a loader is there. */
function startThread(entry: URL): Worker {
  const options = { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: maxHeapMiB } }
  const code = `import('${import.meta.resolve('tsx/esm/api')}').then(({ register }) => { register(); return import('${entry.href}') })`
  const worker = entry.pathname.endsWith('.ts') ? new Worker(code, { ...options, eval: true }) : new Worker(entry, options)
  worker.unref()
  return worker
}

const isOutOfMemory = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
