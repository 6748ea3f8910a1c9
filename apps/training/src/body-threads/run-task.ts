import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { BodyTask, BodyTasks } from './body-task.ts'
import type { FromThread, ThreadData } from './run-in-thread.ts'
import { toTaskFailure } from './task-failure.ts'

/** In a thread: runs the task that it was started for. The thread that started it sends the content, and terminates this one to abort. */
export async function runTask(tasks: BodyTasks): Promise<void> {
  const { task, input } = workerData as ThreadData
  const port = parentPort as MessagePort
  port.postMessage(await outcomeOf(tasks[task] as BodyTask<unknown, unknown>, input, port))
}

async function outcomeOf(task: BodyTask<unknown, unknown>, input: unknown, port: MessagePort): Promise<FromThread> {
  try {
    for await (const item of task(contentFrom(port), input, never)) await ask(port, { at: 'item', item })
    return { at: 'end' }
  } catch (error) {
    return { at: 'failure', failure: toTaskFailure(error) }
  }
}

/** A thread receives no abort: it is terminated. */
const never = new AbortController().signal

async function* contentFrom(port: MessagePort): AsyncGenerator<Uint8Array> {
  for (let chunk = await ask(port, { at: 'content' }); chunk !== null; chunk = await ask(port, { at: 'content' })) yield chunk
}

async function ask(port: MessagePort, message: FromThread): Promise<Uint8Array | null> {
  const response = once(port, 'message') as Promise<[Uint8Array | null]>
  port.postMessage(message)
  return (await response)[0]
}
