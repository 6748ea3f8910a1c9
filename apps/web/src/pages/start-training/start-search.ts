import { textOf, wholeOf, wordOf } from '../../lib/search.ts'
import { type Condition, readConditions } from '../../features/filter/call-condition.ts'

export const defaultTraces = 1_000
export const maxTraces = 10_000

/** Search parameters of a training job to start. */
export interface StartSearch {
  /** Id of the model. */
  model?: string | undefined
  /** Conditions on calls: their traces are read. */
  where?: Condition[] | undefined
  /** The part that conditions cannot express. */
  filter?: string | undefined
  /** Each call of this op or span is an attempt. */
  op?: string | undefined
  /** As `--group-by` has it. Default: `recorded`. */
  group?: string | undefined
  /** As `--reward` has it. Default: `recorded`. */
  reward?: string | undefined
  /** Model whose choices are learned. Default: any. */
  policy?: string | undefined
  /** Most traces that are read. */
  traces?: number | undefined
  /** `keep`: attempts that failed are learned from too. */
  failed?: 'keep' | undefined
  /** `without`: attempts without log-probabilities are learned from too. */
  logprobs?: 'without' | undefined
  /** Default: that of the base model. */
  rate?: string | undefined
}

export function startSearch(search: Record<string, unknown>): StartSearch {
  const where = readConditions(search['where'])
  const traces = wholeOf(search, 'traces')
  return {
    model: textOf(search, 'model'),
    where: where.length > 0 ? where : undefined,
    filter: textOf(search, 'filter'),
    op: textOf(search, 'op'),
    group: textOf(search, 'group'),
    reward: textOf(search, 'reward'),
    policy: textOf(search, 'policy'),
    traces: traces === undefined ? undefined : Math.min(traces, maxTraces),
    failed: wordOf(search, 'failed', ['keep']),
    logprobs: wordOf(search, 'logprobs', ['without']),
    rate: textOf(search, 'rate'),
  }
}
