import { once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { findTask } from './body-tasks.ts'
import type { FromThread, ThreadData } from './run-in-thread.ts'
import { toTaskFailure } from './task-failure.ts'

/** The entry of a thread: runs one task. The thread that started it sends the content, and ends this one where it must not go on. */
const { task, input } = workerData as ThreadData
const port = parentPort as MessagePort
const never = new AbortController().signal

async function ask(message: FromThread): Promise<Uint8Array | null> {
  const response = once(port, 'message') as Promise<[Uint8Array | null]>
  port.postMessage(message)
  return (await response)[0]
}

async function* content(): AsyncGenerator<Uint8Array> {
  for (let chunk = await ask({ at: 'content' }); chunk !== null; chunk = await ask({ at: 'content' })) yield chunk
}

async function run(): Promise<FromThread> {
  try {
    for await (const item of findTask(task)(content(), input, never)) await ask({ at: 'item', item })
    return { at: 'end' }
  } catch (error) {
    return { at: 'failure', failure: toTaskFailure(error) }
  }
}

port.postMessage(await run())
