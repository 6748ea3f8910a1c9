import type { Call } from '@heddle/core-api/types'
import { isQueryable, valueAt } from '@heddle/core-api/internal'
import { toCell } from '../../../lib/texts/to-text.ts'
import { type ConditionValue, toConditionValue } from '../../../features/filter/call-condition.ts'
import { addPaths } from '../../../features/calls/call-row.ts'

/** A field of a call, by which a list may be filtered, or which becomes a column. */
export interface CallField {
  path: string
  /** On one line. */
  text: string
  /** Undefined for a value that no condition compares: a list, an object, a long text, or one at a path that queries do not take. */
  value: ConditionValue | undefined
  /** The usual columns have it already. */
  isUsual: boolean
}

const firstPaths = ['op_name', 'trace_id', 'thread_id', 'wb_user_id', 'exception'] as const
/** Fields that are shown in the columns for name and output. */
const usualPaths: readonly string[] = ['op_name', 'exception']
/** A longer text is not a plausible filter value. */
const maxCharacters = 200

/** The fields that a call has, those of every call first. */
export function fieldsOfCall(call: Call): CallField[] {
  const paths = new Set<string>(firstPaths.filter((path) => call[path] !== null))
  addPaths(call, paths)
  return [...paths].map((path) => {
    const value = valueAt(call, path)
    return {
      path,
      text: toCell(value ?? null),
      value: isQueryable(path) ? comparable(value) : undefined,
      isUsual: usualPaths.includes(path),
    }
  })
}

function comparable(value: unknown): ConditionValue | undefined {
  if (typeof value === 'string') return value.length <= maxCharacters ? value : undefined
  return value === null ? undefined : toConditionValue(value)
}
