import { readFileSync } from 'node:fs'
import type { Scene, ServedUsage } from './stand-in/scripted-replies.ts'

/** Packages in exact versions that are installed together. */
export interface Environment {
  language: 'javascript' | 'python'
  packages: Record<string, string>
  /** Packages of npm whose native code is built after the installation, which runs no scripts. */
  built?: string[]
}

/** Facts that an instrumentation may not report about a call: counts, messages or parts of them, and that it failed. */
export type Told = keyof ServedUsage | 'cachedInput' | 'usage' | 'in' | 'out' | 'system' | 'results' | 'calls' | 'thinking' | 'failed'

/** What is known of a recording beside what the provider served. A text between slashes is a regular expression. */
export interface ExpectedFacts {
  note?: string
  model_call_span: string
  /** `other` for a tool that does not say that it is one. */
  tool_span?: { name: string; input: string; output: string; kind?: 'other' }
  lacks?: Told[]
  /** Counts that an instrumentation made itself instead of those of the reply; null if it reports none. */
  told?: Partial<Record<Scene, Partial<ServedUsage> | null>>
  /** In the order of their starts. */
  traces: {
    root: string
    thread?: string
    /** The question in the root span, if it differs from the prompt of the model. */
    asked?: string
    failed?: boolean
    /** Sums of input and output if the spans report no request. */
    total?: [number, number]
    /** Whose requests the trace has, in the order in which they were served. */
    scenes: Scene[]
    /** Index of the only request in this trace, where each request has its own trace. */
    only?: number
    /** Whether it has one call for all attempts of its requests. */
    isRetried?: boolean
    lacks?: Told[]
  }[]
}

export interface RecordingEntry {
  environment: string
  /** A file of `programs/<language>`. */
  program: string
  env?: Record<string, string>
  /** Whether the program sends calls by the protocol of tracing clients instead of OTLP. */
  isClient?: boolean
  /** Whether the program sends through an OpenTelemetry Collector. */
  byCollector?: boolean
  /** Packages whose versions are listed with the recording. */
  made_with: string[]
  expected: ExpectedFacts
}

export interface Manifest {
  environments: Record<string, Environment>
  recordings: Record<string, RecordingEntry>
}

export const manifest = JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8')) as Manifest
