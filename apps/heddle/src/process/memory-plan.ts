import { defaultEngineMemory, type MemoryLimit } from '@heddle/datastore/memory'
import type { Configuration } from '../settings/configuration.ts'
import { runsModels } from '../settings/runs-models.ts'

export type MemorySettings = Pick<
  Configuration,
  'engineMemoryBytes' | 'heapMemoryBytes' | 'trainingMemoryBytes' | 'clickhouseUrl' | 'only' | 'trainingEngineUrl' | 'trainingLauncherFile'
>

/** How a server divides its memory. The rest is for request buffers, and for memory that engines use above their limits. */
export interface MemoryPlan {
  limit: MemoryLimit
  /** Limit of the embedded engine's queries and merges; 0 with an external ClickHouse. */
  engineBytes: number
  /** Heap limit of the server's process, and of each of its child processes. */
  heapBytes: number
  /** Models that this server runs and trains itself; 0 if it has none. */
  modelsBytes: number
}

const heapShare = 0.25
/** The engine takes 0.4 and the heap 0.25 by default, so that a quarter remains. */
const modelsShare = 0.1
/** Enough to train the bundled models. */
const minModelsBytes = 64 * 1024 ** 2
const maxModelsBytes = 1024 ** 3
/** The server does not start with less. */
const minHeapBytes = 128 * 1024 ** 2
/** Node's default on a large machine. */
const maxHeapBytes = 4 * 1024 ** 3

/** Divides the memory that the processes of a server may use together. Settings of the operator are taken as they are. */
export function planMemory(limit: MemoryLimit, settings: MemorySettings): MemoryPlan {
  const { engineMemoryBytes, heapMemoryBytes, clickhouseUrl } = settings
  const hasModels = settings.only !== 'tracing' && runsModels(settings)
  return {
    limit,
    engineBytes: clickhouseUrl === undefined ? (engineMemoryBytes ?? defaultEngineMemory(limit.bytes)) : 0,
    heapBytes: heapMemoryBytes ?? Math.floor(Math.min(maxHeapBytes, Math.max(minHeapBytes, limit.bytes * heapShare))),
    modelsBytes: hasModels ? planModelMemory(limit, settings) : 0,
  }
}

/** Bytes for the models that this server runs and trains itself. */
export function planModelMemory(
  { bytes }: Pick<MemoryLimit, 'bytes'>,
  { trainingMemoryBytes }: Pick<MemorySettings, 'trainingMemoryBytes'>,
): number {
  return trainingMemoryBytes ?? Math.floor(Math.min(maxModelsBytes, Math.max(minModelsBytes, bytes * modelsShare)))
}

/** Share of the memory limit up to which Node's default heap limit is left alone. */
const maxDefaultHeapShare = 0.5
/** Node reports a limit that includes the young generation; the flag sets only the old one. */
const heapTolerance = 0.15

export interface RunningHeap {
  /** Heap limit of this process, as V8 reports it. */
  limitBytes: number
  /** Flags of this process. */
  execArgv: readonly string[]
  /** Value of NODE_OPTIONS. */
  nodeOptions: string
}

/**
 * Whether the server must be started again with the heap limit of the plan. The kernel kills a process whose heap outgrows its cgroup, with all its
 * requests, and Node considers only the innermost cgroup. `isConfigured`: the operator has set the heap limit, which then wins over NODE_OPTIONS.
 */
export function needsRestartForHeap(plan: MemoryPlan, isConfigured: boolean, heap: RunningHeap): boolean {
  const setsHeap = (flags: string) => /--max[-_]old[-_]space[-_]size/.test(flags)
  if (heap.execArgv.some(setsHeap)) return false
  if (isConfigured) return Math.abs(heap.limitBytes - plan.heapBytes) > plan.heapBytes * heapTolerance
  return !setsHeap(heap.nodeOptions) && heap.limitBytes > plan.limit.bytes * maxDefaultHeapShare
}
