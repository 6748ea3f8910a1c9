import { sql, type Sql } from '@heddle/datastore'
import { isAboveFailed } from '../../derived-conditions.ts'
import type { ValueOperand, ValueType } from '../../compile/operands/operand.ts'

interface ColumnExpression {
  type: ValueType
  sql: Sql
}

const text = (expression: Sql): ColumnExpression => ({ type: 'text', sql: expression })
const int = (expression: Sql): ColumnExpression => ({ type: 'int', sql: expression })
const time = (expression: Sql): ColumnExpression => ({ type: 'time', sql: expression })

/** Times of rows are stored as 0 if there is none and the column is not nullable. */
export const epoch = sql`fromUnixTimestamp64Micro(toInt64(0))`

/** Fields of a call that are typed columns. */
const columns = {
  id: text(sql`id`),
  project_id: text(sql`project_id`),
  trace_id: text(sql`trace_id`),
  parent_id: text(sql`nullIf(parent_id, '')`),
  thread_id: text(sql`thread_id`),
  turn_id: text(sql`turn_id`),
  op_name: text(sql`op_name`),
  display_name: text(sql`nullIf(display_name, '')`),
  exception: text(sql`exception`),
  wb_user_id: text(sql`nullIf(wb_user_id, '')`),
  wb_run_id: text(sql`nullIf(wb_run_id, '')`),
  wb_run_step: int(sql`wb_run_step`),
  wb_run_step_end: int(sql`wb_run_step_end`),
  started_at: time(sql`started_at`),
  ended_at: time(sql`ended_at`),
  deleted_at: time(sql`deleted_at`),
  expire_at: time(sql`nullIf(expire_at, ${epoch})`),
} satisfies Record<string, ColumnExpression>

/** Fields of a call that are computed from columns, below `summary.weave`. */
const computed = {
  latency_ms: int(sql`intDiv(toUnixTimestamp64Micro(ended_at) - toUnixTimestamp64Micro(started_at), 1000)`),
  status: text(sql`status`),
  trace_name: text(sql`if(display_name != '', display_name, toString(op_short_name))`),
} satisfies Record<string, ColumnExpression>

type PlainName = keyof typeof columns
type ComputedName = keyof typeof computed
export type ColumnName = PlainName | `summary.weave.${ComputedName}`

export const columnNames = Object.keys(columns) as PlainName[]
export const computedNames = Object.keys(computed) as ComputedName[]

const expressions = {
  ...columns,
  ...Object.fromEntries(Object.entries(computed).map(([name, expression]) => [`summary.weave.${name}`, expression])),
} as Readonly<Record<ColumnName, ColumnExpression>>

/** The status of a trace of a project by its root: its own, and of one that succeeded whether a call below it failed. */
function traceStatusIn(projectId: string): ColumnExpression {
  return text(sql`if(status = 'success' AND ${isAboveFailed(projectId)}, 'descendant_error', toString(status))`)
}

/** Reads a column of a call, or a value computed from columns; NULL where the call has none. The status is that of the trace in a query `ofTraces`. */
export function readColumn(name: ColumnName, { projectId, ofTraces }: { projectId: string; ofTraces: boolean }): ValueOperand {
  const { type, sql: expression } = ofTraces && name === 'summary.weave.status' ? traceStatusIn(projectId) : expressions[name]
  return {
    kind: 'value',
    type,
    sql: expression,
    present: sql`isNotNull(${expression})`,
    isField: true,
    takesTypeOfLiteral: false,
    order: 'typed',
  }
}
