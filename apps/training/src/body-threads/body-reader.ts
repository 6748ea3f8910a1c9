import { type BodyTask, findTask, type TaskInput, type TaskItem } from './body-tasks.ts'
import { runInThread } from './run-in-thread.ts'
import { createThreadTurns } from './thread-turns.ts'

export interface BodyToRead<Task extends BodyTask> {
  content: () => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>
  sizeBytes: number
  /** True: the bytes unpack to many more, so that they are read in a thread however few they are. Default false. */
  unpacks?: boolean
  input: TaskInput<Task>
  signal: AbortSignal
  /** Whose request it is: the callers share the threads fairly. Null for work of the server's own, which waits for none. */
  caller: string | null
}

/** Reads bodies of trajectory groups, large ones off the event loop. */
export interface BodyReader {
  /** Yields what the task does. @throws what the task throws, ApiError 413 where it needs too much memory, 429 when too many wait */
  read<Task extends BodyTask>(task: Task, body: BodyToRead<Task>): AsyncGenerator<TaskItem<Task>>
  /** What a task that yields once yields. */
  readOne<Task extends BodyTask>(task: Task, body: BodyToRead<Task>): Promise<TaskItem<Task>>
}

export interface BodyReaderOptions {
  /** Module of the threads: `body-thread` of this package, as source or built. Default: the one beside this module. */
  worker?: URL
  /** Bodies of fewer bytes are read on the event loop: the start of a thread would cost more. Infinity: all are. */
  minBytes?: number
  /** Threads of requests. */
  threads?: number
  /** Requests that wait for a thread. */
  maxWaiting?: number
}

export function createBodyReader({ worker, minBytes = 256 * 1024, threads = 2, maxWaiting = 64 }: BodyReaderOptions = {}): BodyReader {
  const turns = createThreadTurns({ threads, maxWaiting, waitingWork: 'large bodies wait to be read' })

  async function* readInThread(task: BodyTask, { content, input, signal, caller }: BodyToRead<BodyTask>): AsyncGenerator<unknown> {
    if (caller === null) return yield* runInThread({ worker, task, input, content: await content(), signal })
    await turns.acquire(caller, signal)
    try {
      yield* runInThread({ worker, task, input, content: await content(), signal })
    } finally {
      turns.release()
    }
  }

  async function* read<Task extends BodyTask>(task: Task, body: BodyToRead<Task>): AsyncGenerator<TaskItem<Task>> {
    const isLarge = minBytes < Infinity && (body.unpacks === true || body.sizeBytes >= minBytes)
    const items = isLarge ? readInThread(task, body as BodyToRead<BodyTask>) : findTask(task)(await body.content(), body.input, body.signal)
    yield* items as AsyncGenerator<TaskItem<Task>>
  }

  return {
    read,
    async readOne(task, body) {
      for await (const item of read(task, body)) return item
      throw new Error(`the task ${task} yielded nothing`)
    },
  }
}
