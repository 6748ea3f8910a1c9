import { Worker } from 'node:worker_threads'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { KernelSet } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import type { PassResult, PassTask } from '../passes/pass-task.ts'
import type { PassHelper } from '../training/trainer.ts'

/** What a thread that helps is started with. */
export interface PassWorkerData {
  memory: WebAssembly.Memory
  set: KernelSet
}

export interface PassWorkerRequest {
  model: ModelParameters
  tasks: readonly PassTask[]
}

/** A thread of Node 20 does not begin with a module in TypeScript, so the source is imported once a loader is there. The build puts the module beside this one. */
function startWorker(data: PassWorkerData): Worker {
  const options = { workerData: data, execArgv: [] }
  if (!import.meta.url.endsWith('.ts')) return new Worker(new URL('./pass-worker.js', import.meta.url), options)
  const [loader, entry] = [import.meta.resolve('tsx/esm/api'), new URL('./pass-worker.ts', import.meta.url).href]
  const code = `import('${loader}').then(({ register }) => { register(); return import('${entry}') })`
  return new Worker(code, { ...options, eval: true })
}

/** Threads on the memory of this one. They end with the process; when one fails, so does the process, which is then started again. */
export function createPassHelpers({ memory, set }: KernelMemory, count: number): PassHelper[] {
  return Array.from({ length: count }, () => {
    const worker = startWorker({ memory, set })
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
