import { parentPort, workerData } from 'node:worker_threads'
import { createKernelView, type KernelShare } from '../kernels/kernel-view.ts'
import { runPass } from '../passes/pass-task.ts'
import { finish } from '../passes/work.ts'
import type { PassWorkerRequest } from './pass-helpers.ts'

const view = createKernelView(workerData as KernelShare)

parentPort?.on('message', ({ model, tasks }: PassWorkerRequest) => {
  parentPort?.postMessage(
    tasks.map((task) => finish(runPass(view, model, task))),
    [],
  )
})
