import { parseRef } from '@heddle/core-api'
import { isUuid, maxIdentifierLength } from '@heddle/core-api/internal'

const maxOpName = 128
const maxDisplayName = 1024

/** One broken rule of a call: the field, and the problem of its value. */
export interface CallProblem {
  field: string
  reason: string
}

/** The fields of a start or end that rules beyond their type hold for. */
export interface CheckedFields {
  id?: string | null | undefined
  trace_id?: string | null | undefined
  parent_id?: string | null | undefined
  op_name?: string | undefined
  display_name?: string | null | undefined
  wb_run_id?: string | null | undefined
}

/** The first broken rule of a call record, undefined when it is sound. */
export function findCallProblem(call: CheckedFields): CallProblem | undefined {
  for (const [field, rule] of rules) {
    const value = call[field]
    const reason = typeof value === 'string' ? rule(value) : undefined
    if (reason !== undefined) return { field, reason }
  }
  return undefined
}

const rules: [keyof CheckedFields, (value: string) => string | undefined][] = [
  ['id', callIdProblem],
  ['trace_id', (value) => idProblem('trace_id', value, 32)],
  ['parent_id', (value) => idProblem('parent_id', value, 16)],
  ['op_name', opNameProblem],
  ['display_name', displayNameProblem],
  ['wb_run_id', runIdProblem],
]

/** The problem of a call id; undefined if it is valid. */
export function callIdProblem(value: string): string | undefined {
  return idProblem('id', value, 16)
}

function idProblem(field: string, value: string, spanLength: number): string | undefined {
  if (isUuid(value)) return undefined
  // No store finds a text with NUL in it.
  if (value.length === spanLength && value === value.toLowerCase() && !value.includes('\0')) return undefined
  return `Invalid ${field} ${quote(value)}: expected a lower-case UUID or ${spanLength} lower-case characters`
}

function opNameProblem(value: string): string | undefined {
  if (/^weave(-trace-internal)?:\/\/\//.test(value)) {
    if (parseRef(value)?.kind === 'op') return undefined
    return `Invalid op_name ${quote(value)}: a reference must have the form weave:///entity/project/op/name:digest`
  }
  if ([...value].length <= maxOpName) return undefined
  return `op_name ${quote(value)} has ${[...value].length} characters; at most ${maxOpName} are allowed`
}

/** The problem of a display name; undefined if it is valid. */
export function displayNameProblem(value: string): string | undefined {
  const length = [...value].length
  if (length <= maxDisplayName) return undefined
  return `display_name ${quote(value)} has ${length} characters; at most ${maxDisplayName} are allowed`
}

function runIdProblem(value: string): string | undefined {
  if (value.length > maxIdentifierLength)
    return `wb_run_id ${quote(value)} has ${value.length} characters; at most ${maxIdentifierLength} are allowed`
  const parts = value.split('/')
  if (parts.length === 3 && parts.every((part) => part !== '')) return undefined
  return `Invalid wb_run_id ${quote(value)}: expected entity/project/run_id`
}

function quote(value: string): string {
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)
}
