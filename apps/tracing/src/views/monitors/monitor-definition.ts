import { type JsonObject, parseRef, QueryExpression } from '@heddle/core-api'
import { isJsonNumber, isJsonObject } from '@heddle/core-api/internal'
import { withoutClassKeys } from '../../payload/without-class-keys.ts'
import { toObjectClass } from '../../records/objects/versions/object-class.ts'

/** The settings of a monitor, from its object. */
export interface MonitorDefinition {
  active: boolean
  /** Share of the matching calls that is scored, 0 to 1. */
  samplingRate: number
  /** References to the scorers. */
  scorers: readonly string[]
  /** Names of ops, or references to them. Empty: all. */
  opNames: readonly string[]
  query: QueryExpression | null
}

/** Settings of a monitor that this server cannot follow. */
export class MonitorError extends Error {
  override readonly name = 'MonitorError'
}

const maxScorers = 10
const maxOpNames = 400

function toMonitorDefinition(value: JsonObject): MonitorDefinition {
  const leaf = toObjectClass(value).leaf_object_class
  if (leaf !== 'Monitor') throw new MonitorError(`objects of class ${leaf} do not run on the server; those that do are Monitor`)
  if (value['scorer_debounce_config'] !== null && value['scorer_debounce_config'] !== undefined)
    throw new MonitorError('scorer_debounce_config is not supported: each call is scored separately')
  return {
    active: readActive(value['active']),
    samplingRate: readRate(value['sampling_rate']),
    scorers: readScorers(value['scorers']),
    opNames: readTexts('op_names', value['op_names'] ?? [], maxOpNames),
    query: readQuery(value['query']),
  }
}

/** Reads the value of an object of the class `Monitor`. The error names the setting that is invalid or not supported. */
export function readMonitor(value: JsonObject): MonitorDefinition | MonitorError {
  try {
    return toMonitorDefinition(value)
  } catch (error) {
    if (error instanceof MonitorError) return error
    throw error
  }
}

function readActive(active: unknown): boolean {
  if (active === undefined || active === null) return false
  if (typeof active === 'boolean') return active
  throw new MonitorError(`active must be true or false, got ${shown(active)}`)
}

function readRate(given: unknown): number {
  if (given === undefined || given === null) return 1
  const rate = typeof given === 'number' || isJsonNumber(given) ? Number(given) : Number.NaN
  if (rate >= 0 && rate <= 1) return rate
  throw new MonitorError(`sampling_rate must be a number from 0 to 1, got ${shown(given)}`)
}

function readScorers(given: unknown): string[] {
  const scorers = [...new Set(readTexts('scorers', given, maxScorers))]
  if (scorers.length === 0) throw new MonitorError('scorers is empty: give at least one reference to a scorer')
  const other = scorers.find((scorer) => parseRef(scorer)?.kind !== 'object')
  if (other !== undefined) throw new MonitorError(`scorers names ${shown(other)}, which is not a reference to an object`)
  return scorers
}

function readTexts(name: string, given: unknown, most: number): string[] {
  if (!Array.isArray(given)) throw new MonitorError(`${name} must be a list of texts, got ${shown(given)}`)
  if (given.length > most) throw new MonitorError(`${name} has ${given.length} entries, at most ${most} are allowed`)
  const other: unknown = given.find((entry) => typeof entry !== 'string')
  if (other !== undefined) throw new MonitorError(`${name} must be a list of texts, and has ${shown(other)}`)
  return given as string[]
}

/** Keys next to `$expr` belong to the class, not to the query. */
function readQuery(given: unknown): QueryExpression | null {
  if (given === undefined || given === null) return null
  const query = QueryExpression.safeParse({ $expr: isJsonObject(given) ? withoutClassKeys(given['$expr']) : undefined })
  if (query.success) return query.data
  const issue = query.error.issues[0]
  throw new MonitorError(`query is not a valid query: ${(issue?.path ?? []).map(String).join('.')}: ${issue?.message}`)
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 200)
}
