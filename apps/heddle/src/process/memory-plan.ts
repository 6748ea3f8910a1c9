import { defaultEngineMemory, type MemoryLimit } from '@heddle/datastore/memory'
import type { Configuration } from '../settings/configuration.ts'

export type MemorySettings = Pick<
  Configuration,
  'engineMemoryBytes' | 'heapMemoryBytes' | 'trainingMemoryBytes' | 'clickhouseUrl' | 'only' | 'trainingEngineUrl' | 'trainingLauncherFile'
>

/** How the memory of a server is divided, in bytes. Buffers of requests and what engines keep beside their limits need the rest. */
export interface MemoryPlan {
  limit: MemoryLimit
  /** Queries and merges of the embedded engine; 0 without one. */
  engineBytes: number
  /** JavaScript objects of the server, and of each of its child processes, at most. */
  heapBytes: number
  /** Models that this machine runs and trains; 0 without them. */
  modelsBytes: number
}

const heapShare = 0.25
/** With engine and heap it leaves a quarter. */
const modelsShare = 0.1
/** Enough to train the models that come along. */
const leastOfModels = 64 * 1024 ** 2
const mostOfModels = 1024 ** 3
/** With less, no server starts. */
const leastOfHeap = 128 * 1024 ** 2
/** What Node takes on a large machine. */
const mostOfHeap = 4 * 1024 ** 3

/** Divides the memory that the processes of a server may use; what an operator has set counts as it is. */
export function planMemory(limit: MemoryLimit, settings: MemorySettings): MemoryPlan {
  const { engineMemoryBytes, heapMemoryBytes, clickhouseUrl } = settings
  const hasModels = settings.only !== 'tracing' && settings.trainingEngineUrl === undefined && settings.trainingLauncherFile === undefined
  return {
    limit,
    engineBytes: clickhouseUrl === undefined ? (engineMemoryBytes ?? defaultEngineMemory(limit.bytes)) : 0,
    heapBytes: heapMemoryBytes ?? Math.floor(Math.min(mostOfHeap, Math.max(leastOfHeap, limit.bytes * heapShare))),
    modelsBytes: hasModels ? planModelMemory(limit, settings) : 0,
  }
}

/** Bytes for the models that this machine runs and trains, where it has any. */
export function planModelMemory(
  { bytes }: Pick<MemoryLimit, 'bytes'>,
  { trainingMemoryBytes }: Pick<MemorySettings, 'trainingMemoryBytes'>,
): number {
  return trainingMemoryBytes ?? Math.floor(Math.min(mostOfModels, Math.max(leastOfModels, bytes * modelsShare)))
}

/** Of the limit. Up to it, Node's own choice is as good. */
const mostOfDefaultHeap = 0.5
/** The limit of a heap has the young objects as well, which the flag does not count. */
const tolerance = 0.15

export interface RunningHeap {
  /** Most bytes of this process's heap. */
  limitBytes: number
  /** Flags of this process. */
  execArgv: readonly string[]
  /** Value of NODE_OPTIONS. */
  nodeOptions: string
}

/**
 * True when the server should run with another limit of its heap than this process has: a heap that may outgrow the control group is ended by the
 * kernel, which no request survives. Node looks at the group of the process alone, and not at those around it.
 */
export function needsOtherHeap(plan: MemoryPlan, isSet: boolean, heap: RunningHeap): boolean {
  const names = (flags: string) => /--max[-_]old[-_]space[-_]size/.test(flags)
  if (heap.execArgv.some(names)) return false
  if (isSet) return Math.abs(heap.limitBytes - plan.heapBytes) > plan.heapBytes * tolerance
  return !names(heap.nodeOptions) && heap.limitBytes > plan.limit.bytes * mostOfDefaultHeap
}
