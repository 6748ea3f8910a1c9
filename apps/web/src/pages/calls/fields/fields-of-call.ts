import type { Call } from '@heddle/core-api'
import { memberOf, valueAt } from '@heddle/core-api/internal'
import { toCell } from '../../../components/to-text.ts'
import type { ConditionValue } from '../call-condition.ts'
import { addPaths } from '../call-row.ts'

/** A field of a call, by which a list may be filtered, or which becomes a column. */
export interface CallField {
  path: string
  /** On one line. */
  text: string
  /** Undefined for a value that no condition compares: a list, an object, a long text, or one whose name holds a dot. */
  value: ConditionValue | undefined
  /** The usual columns have it already. */
  isUsual: boolean
}

const firstPaths = ['op_name', 'trace_id', 'thread_id', 'wb_user_id', 'exception'] as const
/** What the columns for name and output show. */
const usualPaths: readonly string[] = ['op_name', 'exception']
/** A longer text is no value that a person filters by. */
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
      value: isAddressed(call, path) ? comparable(value) : undefined,
      isUsual: usualPaths.includes(path),
    }
  })
}

/** Whether the parts of a path, between its dots, are names: the query language takes them so. */
function isAddressed(call: Call, path: string): boolean {
  const [last = '', ...above] = path.split('.').toReversed()
  const holder = above.reduceRight<unknown>(memberOf, call)
  return memberOf(holder, last) !== undefined
}

function comparable(value: unknown): ConditionValue | undefined {
  if (typeof value === 'string') return value.length <= maxCharacters ? value : undefined
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
