import { Validator } from '@cfworker/json-schema'
import type { JsonObject } from '@heddle/core-api'
import type { LimitedRun } from '../../../payload/limited-run.ts'
import { asText, partAt, ScorerError } from '../subject.ts'
import { type Judge, readSettings } from './settings.ts'

/** Time for one text. */
const maxMs = 100

/**
 * `{"match": boolean}`: whether the output, as text, has a match of `pattern` (ECMAScript with the flag `u`). A pattern that is not one, or that
 * takes longer than a tenth of a second, is an error of the scorer.
 */
export function regex(value: JsonObject, run: LimitedRun): Judge {
  const settings = readSettings(value)
  const path = settings.textOrNull('output_path')
  const pattern = settings.text('pattern', '')
  if (pattern === '') throw new ScorerError('the scorer needs a pattern')
  return ({ output }) => {
    const text = asText(partAt(output, path))
    try {
      return { match: run(() => new Validator({ pattern }).validate(text).valid, maxMs) }
    } catch (error) {
      throw new ScorerError(`the pattern ${JSON.stringify(pattern.slice(0, 100))} cannot be applied: ${String(error).slice(0, 200)}`)
    }
  }
}
