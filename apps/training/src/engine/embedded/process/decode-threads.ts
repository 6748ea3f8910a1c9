import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { KernelShare } from '../kernels/kernel-view.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { decode, type DecodePart } from '../sampling/decode.ts'
import type { DecodeTeam } from '../sampling/decode-team.ts'
import { dividesSequence } from '../sampling/divide-rows.ts'
import { assertNoneFailed, claim, claimPlace, createShared, meet, sharedPlaces, waitWhile, wakePlace } from './decode-barrier.ts'
import { startWorker } from './start-worker.ts'

/** Data passed to a sampling thread at its start. */
export interface DecodeWorkerData {
  kernels: KernelShare
  port: MessagePort
  shared: Int32Array
  /** Its index among the helpers. */
  index: number
}

export type ToDecodeWorker =
  | { kind: 'model'; id: number; model: ModelParameters }
  | { kind: 'forget'; id: number }
  | ({ kind: 'decode'; model: number; part: DecodePart } & Step)

interface Step {
  /** From 1. */
  step: number
  /** Number of threads that wait for each other at each layer; 0 if none do. */
  meeting: number
}

/** Numbers of steps begin again after so many. */
const maxStep = 2 ** 30

/**
 * Threads that compute the rows of a step of sampling together with the calling one, which waits for them: a step is shorter than a turn of the event loop.
 * They end with the process; when one fails, so does the process, which is then started again.
 */
export function createDecodeThreads(memory: KernelMemory, helpers: number): DecodeTeam {
  const shared = createShared(helpers)
  const ports = Array.from({ length: helpers }, (_, index) => startHelper(memory, { shared, index }))
  const ids = new Map<ModelParameters, number>()
  let lastId = 0
  let lastStep = 0

  function send(index: number, message: ToDecodeWorker): void {
    ports[index]!.postMessage(message, [])
  }

  function idOf(model: ModelParameters): number {
    const known = ids.get(model)
    if (known !== undefined) return known
    const id = ++lastId
    ids.set(model, id)
    for (const index of ports.keys()) send(index, { kind: 'model', id, model })
    return id
  }

  function start(parts: readonly DecodePart[], model: ModelParameters, step: Step): void {
    const id = idOf(model)
    for (const [index, part] of parts.entries()) {
      Atomics.store(shared, claimPlace(index), step.step)
      send(index, { kind: 'decode', model: id, part, ...step })
      Atomics.add(shared, wakePlace(index), 1)
      Atomics.notify(shared, wakePlace(index))
    }
  }

  /** Waits until so many helpers have finished. */
  function awaitFinished(count: number): void {
    for (let now = Atomics.load(shared, sharedPlaces.finished); now < count; now = Atomics.load(shared, sharedPlaces.finished)) {
      waitWhile(shared, sharedPlaces.finished, now)
    }
    assertNoneFailed(shared)
  }

  return {
    maxSize: helpers + 1,
    get size() {
      // Helpers that are ready are used in order, so one that is late keeps the ones after it waiting.
      const late = ports.findIndex((_, index) => Atomics.load(shared, wakePlace(index)) === 0)
      return 1 + (late < 0 ? helpers : late)
    },
    decode(model, [own, ...others]) {
      const meeting = dividesSequence([own!, ...others]) ? others.length + 1 : 0
      const step = (lastStep = (lastStep % maxStep) + 1)
      Atomics.store(shared, sharedPlaces.finished, 0)
      if (others.length > 0) start(others, model, { step, meeting })
      try {
        const barrier = meeting > 0 ? () => meet(shared, meeting) : null
        decode({ view: memory, model, ...own!, barrier })
        // On a busy machine it is faster to compute here the parts that helpers have not begun.
        const left = meeting > 0 ? [] : others.filter((_, index) => claim(shared, index, step))
        for (const part of left) decode({ view: memory, model, ...part, barrier: null })
        awaitFinished(others.length - left.length)
      } catch (error) {
        // It is unknown what the other threads still write.
        setImmediate(() => {
          throw error
        })
        throw error
      }
    },
    forget(model) {
      const id = ids.get(model)
      if (id === undefined) return
      ids.delete(model)
      for (const index of ports.keys()) send(index, { kind: 'forget', id })
    },
  }
}

function startHelper(memory: KernelMemory, { shared, index }: Pick<DecodeWorkerData, 'shared' | 'index'>): MessagePort {
  const { port1, port2 } = new MessageChannel()
  const workerData: DecodeWorkerData = { kernels: memory.share(), port: port2, shared, index }
  const worker = startWorker('decode-worker', { workerData, transferList: [port2] })
  worker.unref()
  port1.unref()
  worker.on('error', (error) => {
    throw error
  })
  return port1
}
