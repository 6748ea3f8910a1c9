import type { Operation } from '@heddle/core-api'
import type { Flow } from './fair-queue.ts'
import { createLoopTurns, type LoopTurns } from './loop-turns.ts'
import { createLane, type Lane, type LaneFigures, type LaneLimits, type Visit } from './lane.ts'

/** Bounds of what is worked on at a time: writes and reads apart, so that neither waits for the other. */
export interface AdmissionLimits {
  writes: LaneLimits
  reads: LaneLimits
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
  // The engine answers three questions at a time, and some take seconds.
  reads: {
    turnBytes: 64 * 1024,
    restShare: 0,
    maxWorking: 16,
    maxWorkingBytes: 4 * mebibyte,
    largeBytes: mebibyte,
    maxLarge: 2,
    maxHoldMs: 10_000,
    patienceMs: 5_000,
    maxWaitMs: 10_000,
    maxWaiting: 1_024,
  },
}

/** The one place that decides which requests are worked on, which wait and which are refused. */
export interface Admission {
  /** @throws ApiError 429, before anything of the body is read. */
  enter(operation: Operation, flow: Flow): Visit
  readonly writes: LaneFigures
  readonly reads: LaneFigures
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
  const laneOf = ({ effect }: Operation): Lane => (effect === 'read' ? reads : writes)
  return { enter: (operation, flow) => (operation.open ? unbounded : laneOf(operation).enter(flow)), writes, reads, turns }
}
