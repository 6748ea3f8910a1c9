import { parentPort, workerData } from 'node:worker_threads'
import { continueAttempt } from './agent.mjs'

parentPort.postMessage(await continueAttempt(await import(workerData.esm), workerData.carrier, 'thread'), [])
