import { textOf, wholeOf, wordOf } from '../../app/search.ts'
import { type Condition, readConditions } from '../calls/call-condition.ts'

export const defaultTraces = 1_000
export const mostTraces = 10_000

/** What the address of a training job to start says. */
export interface StartSearch {
  /** Id of the model. */
  model?: string | undefined
  /** Conditions on calls: their traces are read. */
  where?: Condition[] | undefined
  /** What conditions alone cannot say. */
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
    traces: traces === undefined ? undefined : Math.min(traces, mostTraces),
    failed: wordOf(search, 'failed', ['keep']),
    logprobs: wordOf(search, 'logprobs', ['without']),
    rate: textOf(search, 'rate'),
  }
}
