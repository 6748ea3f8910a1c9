import type { Operation } from '@heddle/core-api'
import type { Flow } from './fair-queue.ts'
import { createLoopTurns, type LoopTurns } from './loop-turns.ts'
import { createStatementQueue, type StatementLimits, type StatementQueue } from './statement-queue.ts'
import { createLane, type Lane, type LaneFigures, type LaneLimits, type Visit } from './lane.ts'

/** Bounds of what is worked on at a time: writes and reads apart, so that neither waits for the other, and the statements of both. */
export interface AdmissionLimits {
  writes: LaneLimits
  reads: LaneLimits
  statements: StatementLimits
}

const mebibyte = 2 ** 20

export const defaultAdmissionLimits: AdmissionLimits = {
  // Enough that all who wait for the disk share one sync of it, and less than is written in half a second.
  writes: {
    turnBytes: 64 * 1024,
    restShare: 1,
    maxWorking: 128,
    maxWorkingBytes: 4 * mebibyte,
    largeBytes: mebibyte,
    maxLarge: 2,
    maxHoldMs: 2_000,
    patienceMs: 1_000,
    maxWaitMs: 2_000,
    maxWaiting: 4_096,
  },
  // A read counts while the event loop works for it, and no longer once it waits for the engine, where the statements take turns.
  reads: {
    turnBytes: 64 * 1024,
    restShare: 0,
    maxWorking: 16,
    maxWorkingBytes: 4 * mebibyte,
    largeBytes: mebibyte,
    maxLarge: 2,
    maxHoldMs: 250,
    patienceMs: 5_000,
    maxWaitMs: 10_000,
    maxWaiting: 1_024,
  },
  // For the embedded engine, on the processors of this machine.
  statements: {
    running: 5,
    runningOfCaller: 4,
    runningOfProject: 3,
    queueTimeoutMs: 10_000,
    waiting: 256,
    waitingOfProject: 64,
  },
}

/** For a cluster, which has machines of its own. */
export const clusterStatementLimits: StatementLimits = {
  ...defaultAdmissionLimits.statements,
  running: 32,
  runningOfCaller: 24,
  runningOfProject: 16,
}

/** The one place that decides which requests are worked on, which wait and which are refused. */
export interface Admission {
  /** @throws ApiError 429, before anything of the body is read. */
  enter(operation: Operation, flow: Flow): Visit
  readonly writes: LaneFigures
  readonly reads: LaneFigures
  /** For the analytical store: which statement runs when. */
  readonly statements: StatementQueue
  /** To be told of new connections, which work makes room for. */
  readonly turns: Pick<LoopTurns, 'connected'>
}

export interface AdmissionOptions {
  limits?: Partial<AdmissionLimits>
  /** Milliseconds of a clock that never goes back. Default: the process's own. */
  nowMs?: () => number
}

/** Waits for nothing: for operations that must answer however busy the server is. */
export const unbounded: Visit = { begin: async () => {}, add() {}, leave() {}, waitedMs: 0 }

/** Services of one process share one of these, as they share the machine. */
export function createAdmission({ limits, nowMs = () => performance.now() }: AdmissionOptions = {}): Admission {
  const turns = createLoopTurns()
  const bounds = { ...defaultAdmissionLimits, ...limits }
  const writes = createLane({ name: 'writes', limits: bounds.writes, nowMs, turns })
  const reads = createLane({ name: 'reads', limits: bounds.reads, nowMs, turns })
  const statements = createStatementQueue({ limits: bounds.statements, nowMs })
  const laneOf = ({ effect }: Operation): Lane => (effect === 'read' ? reads : writes)
  return { enter: (operation, flow) => (operation.open ? unbounded : laneOf(operation).enter(flow)), writes, reads, statements, turns }
}
