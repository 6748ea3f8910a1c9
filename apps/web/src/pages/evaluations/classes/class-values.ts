import { isJsonNumber } from '@heddle/json/exact'

/** A text, or true or false, in the scores of a trial. */
export interface ClassValue {
  /** Name of the scorer and, with a dot before each, the keys inside its output. */
  name: string
  /** `true` and `false` for booleans. */
  value: string
}

/** The scores of a row in each run; undefined where a run has not had it. */
export interface ScoredRow {
  cells: readonly ({ trials: readonly { scores: Readonly<Record<string, unknown>> }[] } | undefined)[]
}

/** The texts and booleans in the scores of a trial, at any depth, in their order. Lists hold none, and empty texts are none. */
export function classValues(scores: Readonly<Record<string, unknown>>): ClassValue[] {
  const values: ClassValue[] = []
  addValues(values, scores, '')
  return values
}

function addValues(values: ClassValue[], scores: Readonly<Record<string, unknown>>, before: string): void {
  for (const [key, value] of Object.entries(scores)) {
    if (typeof value === 'boolean') values.push({ name: before + key, value: String(value) })
    else if (typeof value === 'string') {
      if (value.trim() !== '') values.push({ name: before + key, value })
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value))
      addValues(values, value as Record<string, unknown>, `${before}${key}.`)
  }
}
