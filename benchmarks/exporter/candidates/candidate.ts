import type { Tracer } from '@opentelemetry/api'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'

/** Tracing set up as the documentation of a package says, with its defaults. */
export interface Candidate {
  tracer: Tracer
  /** Resolves when what has ended was sent, or given up. */
  flush(): Promise<void>
  shutdown(): Promise<void>
}

export interface CandidateOptions {
  /** `http://127.0.0.1:port` of a server that takes traces at any path. */
  serverUrl: string
  /** For those that can keep spans on disk. */
  spoolFolder: string | undefined
}

export type StartCandidate = (options: CandidateOptions) => Candidate

/** A program whose spans go to one processor. */
export function withProcessor(processor: SpanProcessor): Candidate {
  const provider = new BasicTracerProvider({ spanProcessors: [processor] })
  return { tracer: provider.getTracer('bench', '1.0.0'), flush: () => provider.forceFlush(), shutdown: () => provider.shutdown() }
}
