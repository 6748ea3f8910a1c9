import type { SpanAttributes } from '../../data/span-attributes.ts'
import type { CandidateName } from '../candidates/all-candidates.ts'

/** What a measured program does; its argument, as JSON. */
export interface ProgramPlan {
  candidate: CandidateName
  serverUrl: string
  spoolFolder?: string | undefined
  /** File with a list of `SpanTemplate`. */
  spansFile: string
  work:
    | { kind: 'cpu'; warmUpRounds: number; rounds: number; spansOfRound: number }
    | { kind: 'stalls'; seconds: number; spansPerSecond: number }
    | { kind: 'outage'; spansPerSecond: number; secondsBefore: number; secondsOfOutage: number; secondsAfter: number }
    | { kind: 'end'; spans: number; how: EndOfProgram }
}

/** `return`: nothing is left to do; `exit`: `process.exit()`; `signal`: ended from outside, by SIGTERM. */
export type EndOfProgram = 'return' | 'exit' | 'signal'

export interface SpanTemplate {
  name: string
  attributes: SpanAttributes
}

/** What a program prints last, as a line of JSON, by kind of work. */
export interface ProgramResults {
  cpu: {
    /** Of `startSpan` and `end`, microseconds of wall time a span, by round. */
    callMicros: number[]
    /** Until everything is sent, microseconds of CPU time of the process a span, by round. */
    processMicros: number[]
    /** CPU time of the program's own thread, microseconds a span, over all rounds. */
    threadMicros: number
    peakBytes: number
  }
  stalls: {
    /** Milliseconds between two turns of the event loop, the longest of each second. */
    longestMs: number[]
    spans: number
  }
  outage: { ended: number; peakBytes: number }
}

export interface EncodePlan {
  spansFile: string
  warmUpRounds: number
  rounds: number
  spansOfRound: number
}

export interface EncodeResult {
  bytesOfSpan: number
  /** CPU time in microseconds a span, by round. */
  micros: number[]
}
