import { createContext, Script } from 'node:vm'
import { stringifyJson } from '@heddle/service-kit/json'
import { Validator, type Schema } from '@cfworker/json-schema'
import { findSchemaProblem } from '../objects/json-schema-problem.ts'

const maxMs = 100
const maxReason = 300

/** Why a value does not satisfy a JSON Schema, in words; undefined where it does. */
export type FindSchemaMismatch = (schema: unknown, value: unknown) => string | undefined

/**
 * Checks values by JSON Schemas that users wrote (draft 2020-12). A schema that is none, or that takes longer than a tenth of a second,
 * is satisfied by nothing.
 */
export function createSchemaCheck(): FindSchemaMismatch {
  const idle = () => undefined
  const sandbox: { work: () => string | undefined } = { work: idle }
  const context = createContext(sandbox)
  const script = new Script('work()')

  /** Patterns and references of a schema may take for ever, so they run where the runtime can stop them. */
  function withinTime(work: () => string | undefined): string | undefined {
    try {
      sandbox.work = work
      return script.runInContext(context, { timeout: maxMs }) as string | undefined
    } catch (error) {
      return `field_schema cannot be applied: ${shorten(error instanceof Error ? error.message : String(error))}`
    } finally {
      sandbox.work = idle
    }
  }

  return (schema, value) =>
    findSchemaProblem(schema, 'field_schema') ?? withinTime(() => validate(toPlain(schema) as Schema, toPlain(value)))
}

function validate(schema: Schema, value: unknown): string | undefined {
  const { valid, errors } = new Validator(schema, '2020-12').validate(value)
  if (valid) return undefined
  // The first finding is the outermost keyword; the last one names the place in the value.
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
