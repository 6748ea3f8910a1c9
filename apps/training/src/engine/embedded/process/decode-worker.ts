import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import { createKernelView } from '../kernels/kernel-view.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { decode } from '../sampling/decode.ts'
import { claim, meet, sharedPlaces, wakePlace } from './decode-barrier.ts'
import type { DecodeWorkerData, ToDecodeWorker } from './decode-threads.ts'

const { kernels, port, shared, index } = workerData as DecodeWorkerData
const view = createKernelView(kernels)
const models = new Map<number, ModelParameters>()
const place = wakePlace(index)

function handle(message: ToDecodeWorker): void {
  switch (message.kind) {
    case 'model':
      models.set(message.id, message.model)
      return
    case 'forget':
      models.delete(message.id)
      return
    case 'decode': {
      const { model, part, step, meeting } = message
      if (!claim(shared, index, step)) return
      decode({ view, model: models.get(model)!, ...part, barrier: meeting > 0 ? () => meet(shared, meeting) : null })
      Atomics.add(shared, sharedPlaces.finished, 1)
      Atomics.notify(shared, sharedPlaces.finished)
    }
  }
}

/** Wakes all threads that wait for this one. */
function tellFailure(): void {
  Atomics.store(shared, sharedPlaces.failed, 1)
  for (const waited of [sharedPlaces.finished, sharedPlaces.round]) {
    Atomics.add(shared, waited, 1)
    Atomics.notify(shared, waited)
  }
}

// The first increment reports that this thread is ready.
let seen = Atomics.add(shared, place, 1) + 1
for (;;) {
  Atomics.wait(shared, place, seen)
  seen = Atomics.load(shared, place)
  try {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) handle(next.message as ToDecodeWorker)
  } catch (error) {
    tellFailure()
    throw error
  }
}
