import { createContext, Script } from 'node:vm'
import { Validator, type Schema } from '@cfworker/json-schema'
import { stringifyJson } from '@heddle/json'
import { findSchemaProblem } from '../../objects/publish/json-schema-problem.ts'

/** What one value may take. */
const maxMs = 100
/** What the values of one request may take together, beyond what each may take at no charge. */
const maxRequestMs = 250
/** A usual schema takes far less than this for a usual value: a large batch of them is not refused. */
const freeMs = 2
const maxReason = 300
/** Times that one value is checked while the machine is busy with other things. */
const maxAttempts = 3

/** Why a value does not satisfy a JSON Schema, in words; undefined where it does. */
export type FindSchemaMismatch = (schema: unknown, value: unknown) => string | undefined

/** Begins the checks of one request, whose time is counted together. */
export type BeginSchemaChecks = () => FindSchemaMismatch

/** Time that this process has worked: a value does not pay for a machine that is busy with other things. */
function workedMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Checks values by JSON Schemas that users wrote (draft 2020-12). A schema that is none, or that takes longer than a tenth of a second,
 * is satisfied by nothing; and so is every schema of a request whose schemas have together taken a quarter of a second, where the first
 * 2 ms of each value do not count. `worked` counts milliseconds.
 */
export function createSchemaChecks(worked: () => number = workedMs): BeginSchemaChecks {
  const idle = () => undefined
  const sandbox: { work: () => string | undefined } = { work: idle }
  const context = createContext(sandbox)
  const script = new Script('work()')

  /** Patterns and references of a schema may take for ever, so they run where the runtime can stop them. */
  function withinTime(work: () => string | undefined, timeout: number, begun: number): string | undefined {
    try {
      sandbox.work = work
      for (let attempt = 1; ; attempt++) {
        try {
          return script.runInContext(context, { timeout }) as string | undefined
        } catch (error) {
          // The runtime measures elapsed time, which other processes may have used up.
          if (!isTimeout(error) || worked() - begun >= timeout || attempt === maxAttempts) throw error
        }
      }
    } catch (error) {
      return `field_schema cannot be applied: ${shorten(error instanceof Error ? error.message : String(error))}`
    } finally {
      sandbox.work = idle
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
      leftMs -= Math.max(0, worked() - begun - freeMs)
      return mismatch
    }
  }
}

const isTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

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
