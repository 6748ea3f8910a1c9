import type { ResultLimits } from './sessions/pending-results.ts'
import type { SessionLimits } from './sessions/tinker-sessions.ts'

export interface TinkerLimits extends SessionLimits, ResultLimits {
  /** Milliseconds that a question for a result is held. */
  questionMs: number
  /** Milliseconds between two looks for sessions and results that have expired. */
  sweepEveryMs: number
}

export const defaultTinkerLimits: TinkerLimits = {
  silenceMs: 300_000,
  yieldMs: 60_000,
  sessions: 1_000,
  sessionsOfProject: 250,
  models: 8,
  modelsOfProject: 4,
  samplersOfSession: 1_000,
  waiting: 256,
  waitingBytes: 64 * 2 ** 20,
  keptMs: 600_000,
  keptBytes: 256 * 2 ** 20,
  keptBytesOfProject: 128 * 2 ** 20,
  ofSession: 2_048,
  questionMs: 25_000,
  sweepEveryMs: 5_000,
}
