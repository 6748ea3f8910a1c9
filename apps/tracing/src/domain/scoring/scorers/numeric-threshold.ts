import type { JsonObject } from '@heddle/core-api'
import { asNumber, partAt, ScorerError } from '../subject.ts'
import { type Judge, readSettings } from './settings.ts'

/** `{"value": number or null, "pass": boolean}`: whether the output is a number from `minimum` to `maximum`, of which one may be absent. */
export function numericThreshold(value: JsonObject): Judge {
  const settings = readSettings(value)
  const path = settings.textOrNull('output_path')
  const [minimum, maximum] = [settings.numberOrNull('minimum'), settings.numberOrNull('maximum')]
  if (minimum === null && maximum === null) throw new ScorerError('the scorer needs a minimum, a maximum or both')
  return ({ output }) => {
    const number = asNumber(partAt(output, path))
    if (number === undefined) return { value: null, pass: false }
    return { value: number, pass: number >= (minimum ?? -Infinity) && number <= (maximum ?? Infinity) }
  }
}
