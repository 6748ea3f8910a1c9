import { searchOf, text, whole, word } from '../../lib/search.ts'
import { someConditions } from '../../features/filter/call-condition.ts'

export const defaultTraces = 1_000
export const maxTraces = 10_000

/** Search parameters of a training job to start. */
export const startSearch = searchOf({
  /** Id of the model. */
  model: text,
  /** Conditions on calls: their traces are read. */
  where: someConditions,
  /** The part that conditions cannot express. */
  filter: text,
  /** Each call of this op or span is an attempt. */
  op: text,
  /** As `--group-by` has it. Default: `recorded`. */
  group: text,
  /** As `--reward` has it. Default: `recorded`. */
  reward: text,
  /** Model whose choices are learned. Default: any. */
  policy: text,
  /** Most traces that are read. */
  traces(value) {
    const most = whole(value)
    return most && Math.min(most, maxTraces)
  },
  /** `keep`: attempts that failed are learned from too. */
  failed: word('keep'),
  /** `without`: attempts without log-probabilities are learned from too. */
  logprobs: word('without'),
  /** Default: that of the base model. */
  rate: text,
})
export type StartSearch = ReturnType<typeof startSearch>
