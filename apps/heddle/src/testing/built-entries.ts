import { inject } from 'vitest'
import '@heddle/testing'

const built = (name: string) => new URL(name, inject('builtChildren'))

// Tests load this module instead of `process/child-entries.ts`: from the sources each process takes seconds of processor time to start.
export const { engineEntry, spanWorkerEntry, modelEngineEntry } = {
  engineEntry: built('engine-child.js'),
  spanWorkerEntry: built('span-worker.js'),
  modelEngineEntry: built('model-engine-child.js'),
} satisfies typeof import('../process/child-entries.ts')
