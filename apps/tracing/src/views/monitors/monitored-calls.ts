import type { CallsFilter, QueryExpression, QueryOperation, QueryValue } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { MonitorDefinition } from './monitor-definition.ts'
import { noCallsFilter } from '../../records/calls/read/no-calls-filter.ts'

/** Which calls a monitor scores. */
export interface MonitoredCalls {
  filter: CallsFilter
  query: QueryExpression
}

const isMarked = (name: string): QueryValue => ({ $convert: { input: { $getField: `attributes.weave.${name}` }, to: 'exists' } })

/** Scores, and the calls of monitors' judges: a monitor that scored these would never end. */
const isScore: QueryOperation = { $or: [isMarked('score'), isMarked('monitor')] }

/** The calls that match a monitor. An op name without a reference matches all its versions, and calls with just that name. */
export function monitoredCalls({ id }: Pick<ProjectScope, 'id'>, { opNames, query }: MonitorDefinition): MonitoredCalls {
  const op_names = opNames.flatMap((name) => (name.startsWith('weave:') ? [name] : [name, `weave:///${id}/op/${name}:*`]))
  return {
    filter: { ...noCallsFilter, op_names: op_names.length === 0 ? null : op_names },
    query: { $expr: { $and: [...(query === null ? [] : [query.$expr]), { $not: [isScore] }] } },
  }
}
