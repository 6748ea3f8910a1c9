/** A span of OpenTelemetry with those below it. */
export interface SentSpan {
  name: string
  attributes?: Record<string, string | number>
  /** What its error says. Absent: it has none. */
  failure?: string
  below?: readonly SentSpan[]
}

/** A call by the protocol of tracing clients with those below it. */
export interface SentCall {
  name: string
  /** Absent: it reports none. */
  usage?: Record<string, Record<string, number>>
  /** It never ends. */
  isRunning?: true
  below?: readonly SentCall[]
}

export interface Said {
  role: 'user' | 'assistant'
  text: string
  /** The message has an image, too. */
  hasImage?: true
}

/** Uses of a model; `input` contains the tokens that were read from a cache and written to it. */
export interface ExpectedUsage {
  uses: number
  input: number
  output: number
  cached?: number
  written?: number
}

export interface ExpectedTrace {
  /** Name of its root. */
  root: string
  status: 'success' | 'running' | 'descendant_error'
  isParentMissing?: true
  thread?: string
  /** All that counts, by model; absent: nothing was used. */
  used?: Readonly<Record<string, ExpectedUsage>>
  /** Null: nothing with a price was used. */
  cost: number | null
  /** In the order of the conversation; absent where nothing is said. */
  said?: readonly Said[]
  /** Tools that were called. `name`: of the span, under which lists show it. */
  tools?: readonly { name: string; tool: string }[]
}

/** Traces as programs send them, small enough to see what is right, with what every surface must show of them. */
export interface TracedCase {
  name: string
  sent: { traces: readonly SentSpan[]; protocol: 'spans'; parentOfRoots?: 'not sent' } | { traces: readonly SentCall[]; protocol: 'calls' }
  /** In the order in which they were sent. */
  traces: readonly ExpectedTrace[]
}

/** What some traces used together, by model. */
export function usageOf(traces: readonly ExpectedTrace[]): Record<string, Required<ExpectedUsage>> {
  const sums: Record<string, Required<ExpectedUsage>> = {}
  for (const [model, use] of traces.flatMap(({ used = {} }) => Object.entries(used))) {
    const sum = (sums[model] ??= { uses: 0, input: 0, output: 0, cached: 0, written: 0 })
    for (const count of ['uses', 'input', 'output', 'cached', 'written'] as const) sum[count] += use[count] ?? 0
  }
  return sums
}

/** Tokens of input and output. */
export const tokensOf = (...traces: readonly ExpectedTrace[]): number =>
  Object.values(usageOf(traces)).reduce((sum, { input, output }) => sum + input + output, 0)
