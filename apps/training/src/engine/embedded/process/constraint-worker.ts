import { parentPort } from 'node:worker_threads'
import type { ToConstraints } from './constraint-messages.ts'
import { ActiveConstraints } from './active-constraints.ts'

/** The entry of the thread: messages are answered in their order. */
const followed = new ActiveConstraints()
let last: Promise<unknown> = Promise.resolve()

parentPort?.on('message', (message: ToConstraints) => {
  last = last.then(async () => {
    const response = await followed.receive(message)
    if (response !== null) parentPort?.postMessage(response, [])
  })
})
