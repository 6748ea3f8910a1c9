import { Validator, type Schema } from '@cfworker/json-schema'
import { stringifyJson } from '@heddle/json'
import { createLimitedRun } from '../../../payload/limited-run.ts'
import { workedMs } from '../../../payload/worked-time.ts'
import { findSchemaProblem } from '../../objects/publish/json-schema-problem.ts'

/** Time limit of one value. */
const maxMs = 100
/** Time limit of all values of one request together, beyond each value's free allowance. */
const maxRequestMs = 250
/** A usual schema takes far less than this for a usual value: a large batch of them is not refused. */
const freeMs = 2
const maxReason = 300

/** Why a value does not satisfy a JSON Schema, in words; undefined where it does. */
export type FindSchemaMismatch = (schema: unknown, value: unknown) => string | undefined

/** Begins the checks of one request, whose time is counted together. */
export type BeginSchemaChecks = () => FindSchemaMismatch

/**
 * Checks values by JSON Schemas that users wrote (draft 2020-12). A schema that is none, or that takes more than a tenth of a second
 * of work, is satisfied by nothing; and so is every schema of a request whose schemas have together taken a quarter of a second, where the
 * first 2 ms of each value do not count. `worked` counts milliseconds.
 */
export function createSchemaChecks(worked: () => number = workedMs): BeginSchemaChecks {
  const run = createLimitedRun(worked)

  function withinTime(work: () => string | undefined, timeoutMs: number, begun: number): string | undefined {
    try {
      return run(work, timeoutMs, begun)
    } catch (error) {
      return `field_schema cannot be applied: ${shorten(error instanceof Error ? error.message : String(error))}`
    }
  }

  return () => {
    let leftMs = maxRequestMs
    return (schema, value) => {
      const problem = findSchemaProblem(schema, 'field_schema')
      if (problem !== undefined) return problem
      if (leftMs <= 0) return `field_schema cannot be applied: the schemas of this request have taken ${maxRequestMs} ms; send fewer values`
      const begun = worked()
      const timeout = Math.ceil(Math.min(maxMs, leftMs + freeMs))
      const mismatch = withinTime(() => validate(toPlain(schema) as Schema, toPlain(value)), timeout, begun)
      // A check that was restarted, because the machine was busy, is charged at most its limit.
      leftMs -= Math.max(0, Math.min(worked() - begun, timeout) - freeMs)
      return mismatch
    }
  }
}

function validate(schema: Schema, value: unknown): string | undefined {
  const { valid, errors } = new Validator(schema, '2020-12').validate(value)
  if (valid) return undefined
  // The first finding is the outermost keyword; the last one names the location in the value.
  const { instanceLocation, error } = errors.at(-1) ?? { instanceLocation: '#', error: 'the value does not match' }
  return shorten(`${instanceLocation}: ${error}`)
}

/** Numbers as the runtime has them. */
function toPlain(value: unknown): unknown {
  return JSON.parse(stringifyJson(value)) as unknown
}

function shorten(text: string): string {
  return text.slice(0, maxReason)
}
