import type { BodyTask, BodyTasks } from './body-task.ts'
import { runInThread } from './run-in-thread.ts'
import { createThreadTurns } from './thread-turns.ts'

export interface BodyRequest<Input> {
  content: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
  sizeBytes: number
  /** True: the bytes unpack to many more, so that they are read in a thread however few they are. Default false. */
  unpacks?: boolean
  input: Input
  signal: AbortSignal
  /** Whose request it is: the callers share the threads fairly. Null for work of the server's own, which waits for none. */
  caller: string | null
}

/** Reads bodies of trajectory groups, large ones off the event loop. */
export interface BodyReader {
  /** Yields what the task does. @throws what the task throws, ApiError 413 where it needs too much memory, 429 when too many wait */
  read<Input, Item>(task: BodyTask<Input, Item>, body: BodyRequest<NoInfer<Input>>): AsyncGenerator<Item>
  /** Returns the single item of a task that yields once. */
  readOne<Input, Item>(task: BodyTask<Input, Item>, body: BodyRequest<NoInfer<Input>>): Promise<Item>
}

export interface BodyReadingOptions {
  /** Module of the threads, which runs the tasks of the reader by `runTask`, as source or built. */
  worker?: URL
  /** Bodies of fewer bytes are read on the event loop: the start of a thread would cost more. Infinity: all are. */
  minBytes?: number
  /** Threads of requests. */
  threads?: number
  /** Requests that wait for a thread. */
  maxWaiting?: number
}

export interface BodyReaderOptions extends BodyReadingOptions {
  /** All tasks of the reader. */
  tasks: BodyTasks
  worker: URL
}

export function createBodyReader({ tasks, worker, minBytes = 256 * 1024, threads = 2, maxWaiting = 64 }: BodyReaderOptions): BodyReader {
  const turns = createThreadTurns({ threads, maxWaiting, waitingWork: 'large bodies wait to be read' })
  const names = new Map<unknown, string>(Object.entries(tasks).map(([name, task]) => [task, name]))

  async function* readInThread(task: string, { content, input, signal, caller }: BodyRequest<unknown>): AsyncGenerator<unknown> {
    if (caller === null) return yield* runInThread({ worker, task, input, content: await content(), signal })
    await turns.acquire(caller, signal)
    try {
      yield* runInThread({ worker, task, input, content: await content(), signal })
    } finally {
      turns.release()
    }
  }

  async function* read<Input, Item>(task: BodyTask<Input, Item>, body: BodyRequest<Input>): AsyncGenerator<Item> {
    const name = names.get(task)
    if (name === undefined) throw new Error(`a body is read by ${task.name}, which is none of the tasks of the threads`)
    const isLarge = minBytes < Infinity && (body.unpacks === true || body.sizeBytes >= minBytes)
    yield* isLarge ? (readInThread(name, body) as AsyncGenerator<Item>) : task(await body.content(), body.input, body.signal)
  }

  return {
    read,
    async readOne(task, body) {
      for await (const item of read(task, body)) return item
      throw new Error(`the task ${task.name} yielded nothing`)
    },
  }
}
