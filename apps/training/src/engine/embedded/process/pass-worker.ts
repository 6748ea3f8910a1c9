import { parentPort, workerData } from 'node:worker_threads'
import { createKernelView } from '../kernels/kernel-view.ts'
import { runPass } from '../passes/pass-task.ts'
import { finish } from '../work.ts'
import type { PassWorkerData, PassWorkerRequest } from './pass-helpers.ts'
import { passGate } from './training-gate.ts'

const { kernels, gate } = workerData as PassWorkerData
const view = createKernelView(kernels)

parentPort?.on('message', ({ model, tasks }: PassWorkerRequest) => {
  parentPort?.postMessage(
    tasks.map((task) => finish(runPass(view, model, task), () => passGate(gate))),
    [],
  )
})
