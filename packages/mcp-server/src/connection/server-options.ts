import type { Toolset } from '../tools/toolset.ts'

/** Which tools are offered. Omitted fields impose no restriction. */
export interface ToolChoice {
  /** Default: evals, traces and training. */
  toolsets?: readonly Toolset[]
  /** Names of further tools, or the only ones where `toolsets` is not given. */
  tools?: readonly string[]
  excludeTools?: readonly string[]
  /** Only tools that read; wins over all else. */
  readOnly?: boolean
  /** Tools may change data: training jobs are started, feedback is written. Default: false. */
  allowWrites?: boolean
  /** Offers tools that delete. Each deletion is confirmed by a user or by the name of its target. Default: false. */
  allowDestructive?: boolean
}

/** Further ways to offer tools. */
export interface ListingOptions {
  /** Lists a tool that finds the chosen tools and one that calls them, instead of the tools themselves. Default: false. */
  onDemand?: boolean
}

/** How the server reaches the services, and which tools it offers. */
export interface ServerOptions extends ToolChoice, ListingOptions {
  /** Address of the tracing service. */
  baseUrl: string
  /** Address of the training service. Default: `baseUrl`. */
  trainingBaseUrl?: string
  /** Without one, every call is refused by the services. */
  apiKey?: string
  /** Used where a call names none, as `entity/project`. */
  project?: string
  /** The most tokens that a call may request, from 500 to 20 000. Default: 20 000. */
  maxTokens?: number
  /** Milliseconds between two looks at a resource that a client watches. Default: 2 000. */
  watchEveryMs?: number
  /** Seals cursors and questions to users; servers that share it accept each other's. At least 32 bytes. Default: random. */
  sealKey?: Uint8Array
  /** Whether `onCall` gets the values of arguments in addition to their sizes. Default: false. */
  logArguments?: boolean
  /** Called with each finished call. Arguments are sizes, unless `logArguments` is set. */
  onCall?: (entry: CallEntry) => void
  /** Called with errors outside calls of tools, for the log; with the id of the request where it has one. */
  onError?: (error: unknown, request?: { requestId?: string }) => void
  /** Default: the global one. */
  fetch?: typeof fetch
  /** Milliseconds since 1970. Default: the clock of the system. */
  now?: () => number
}

/** The trace of the assistant, as headers of W3C name it, in the `_meta` of a request. */
export interface TraceCarrier {
  traceparent?: string
  tracestate?: string
}

/** A finished call of a tool, for the log and for spans. */
export interface CallEntry {
  tool: string
  /** Milliseconds since 1970. */
  startedAtMs: number
  /** Undefined where the request named none. */
  trace?: TraceCarrier
  /** Characters of each argument as JSON, by name. */
  argumentSizes: Record<string, number>
  /** Only with `logArguments`. */
  arguments?: unknown
  durationMs: number
  /** Estimated, of the text. */
  tokens: number
  /** Code of the error; undefined when the call has succeeded. */
  error?: string
  /** The thrown error, unless it was meant for the caller. */
  cause?: unknown
}
