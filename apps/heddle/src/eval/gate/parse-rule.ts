import { UsageError } from '../../terminal/usage-error.ts'

export type Comparator = '>=' | '>' | '<=' | '<'

/** What a candidate must satisfy. */
export type Rule = AbsoluteRule | ChangeRule

/** A bound on the mean of a score. */
export interface AbsoluteRule {
  kind: 'absolute'
  /** As it was written. */
  text: string
  measure: string
  comparator: Comparator
  bound: number
}

/** A bound on how far the mean may fall (`drop`) or rise below or above that of the baseline, on the same rows. */
export interface ChangeRule {
  kind: 'drop' | 'rise'
  text: string
  measure: string
  /** Not negative. */
  limit: number
}

const absolutePattern = /^\s*(\S.*?)\s*(>=|<=|>|<)\s*([^\s<>=]+)\s*$/s
const changePattern = /^\s*(\S.*?)\s*=\s*(\S+)\s*$/s
const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
/** Comparators that each flag takes. */
const comparators = { '--min': ['>=', '>'], '--max': ['<=', '<'] }

/**
 * Reads a rule of `--min` or `--max`: `<score> <comparator> <number>`, with or without spaces, such as `exact.match>=0.8`.
 * `--min` takes `>=` and `>`, `--max` takes `<=` and `<`. A rate is a number from 0 to 1.
 * @throws UsageError that names the flag, the rule and the form
 */
export function parseAbsoluteRule(flag: '--min' | '--max', text: string): AbsoluteRule {
  const [, measure, comparator, number] = absolutePattern.exec(text) ?? []
  const allowed = comparators[flag]
  if (measure === undefined || comparator === undefined || !allowed.includes(comparator) || !isNumber(number)) {
    throw new UsageError(`${flag} must be "<score>${allowed.join('<number>" or "<score>')}<number>", got ${JSON.stringify(text)}`)
  }
  return { kind: 'absolute', text: text.trim(), measure, comparator: comparator as Comparator, bound: Number(number) }
}

/**
 * Reads a rule of `--max-drop` or `--max-rise`: `<score>=<number>`, the number not negative, such as `exact.match=0.02`.
 * @throws UsageError that names the flag, the rule and the form
 */
export function parseChangeRule(flag: '--max-drop' | '--max-rise', text: string): ChangeRule {
  const [, measure, number] = changePattern.exec(text) ?? []
  if (measure === undefined || !isNumber(number) || Number(number) < 0) {
    throw new UsageError(`${flag} must be "<score>=<number>" with a number from 0, got ${JSON.stringify(text)}`)
  }
  return { kind: flag === '--max-drop' ? 'drop' : 'rise', text: `${flag} ${text.trim()}`, measure, limit: Number(number) }
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && numberPattern.test(text) && Number.isFinite(Number(text))
}
