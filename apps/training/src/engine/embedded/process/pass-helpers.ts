import type { Worker } from 'node:worker_threads'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { KernelShare } from '../kernels/kernel-view.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { PassResult, PassTask } from '../passes/pass-task.ts'
import type { PassHelper } from '../training/trainer.ts'
import { startWorker } from './start-worker.ts'
import type { TrainingGate } from './training-gate.ts'

/** Data passed to a helper at its start. */
export interface PassWorkerData {
  kernels: KernelShare
  gate: TrainingGate
}

export interface PassWorkerRequest {
  model: ModelParameters
  tasks: readonly PassTask[]
}

/** Threads on the memory of this one, which pause while the gate is closed. They end with the process; when one fails, so does the process, which is then started again. */
export function createPassHelpers(memory: KernelMemory, { count, gate }: { count: number; gate: TrainingGate }): PassHelper[] {
  return Array.from({ length: count }, () => {
    const worker = startWorker('pass-worker', { workerData: { kernels: memory.share(), gate } satisfies PassWorkerData })
    worker.unref()
    worker.on('error', (error) => {
      throw error
    })
    let last: Promise<unknown> = Promise.resolve()
    return {
      run(model, tasks) {
        const result = last.then(() => ask(worker, { model, tasks }))
        last = result
        return result
      },
    }
  })
}

function ask(worker: Worker, request: PassWorkerRequest): Promise<readonly PassResult[]> {
  return new Promise((resolve) => {
    worker.once('message', resolve)
    worker.postMessage(request, [])
  })
}
