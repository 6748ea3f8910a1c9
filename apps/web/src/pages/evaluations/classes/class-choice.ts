import { type SearchOf, text, textOrBoolean, whole } from '../../../lib/search.ts'
import { classValues, type ScoredRow } from './class-values.ts'

/** Search parameters of classes. */
export const classParams = {
  /** Name of the score whose classes are shown. Default: the first. */
  score: text,
  /** The class that chooses rows. */
  is: textOrBoolean,
  /** The run whose trials count, from 1. Undefined: any. */
  isIn: whole,
}
export type ClassSearch = SearchOf<typeof classParams>

/** Rows of which a trial has this class. */
export interface ClassChoice {
  score: string
  is: string
  /** Index of the run whose trials count, from 0. Undefined: any. */
  run: number | undefined
}

/** Undefined where the address names no class. */
export function classChoice({ score, is, isIn }: ClassSearch): ClassChoice | undefined {
  return score === undefined || is === undefined ? undefined : { score, is, run: isIn === undefined ? undefined : isIn - 1 }
}

export function isOfClass({ cells }: ScoredRow, { score, is, run }: ClassChoice): boolean {
  const counted = run === undefined ? cells : cells.slice(run, run + 1)
  return counted.some((cell) =>
    cell?.trials.some(({ scores }) => classValues(scores).some(({ name, value }) => name === score && value === is)),
  )
}
