import type { CallsFilter, QueryExpression, QueryOperation, QueryValue } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { MonitorDefinition } from './monitor-definition.ts'
import { noCallsFilter } from '../calls/read/no-calls-filter.ts'

/** Which calls a monitor scores. */
export interface MonitoredCalls {
  filter: CallsFilter
  query: QueryExpression
}

const isMarked = (name: string): QueryValue => ({ $convert: { input: { $getField: `attributes.weave.${name}` }, to: 'exists' } })

/** Scores, and the calls of judges that monitors asked: a monitor that scored these would have no end. */
const isScore: QueryOperation = { $or: [isMarked('score'), isMarked('monitor')] }

/** The calls that match a monitor. A name of an op without a reference stands for all its versions, and for calls that have just the name. */
export function monitoredCalls({ id }: Pick<ProjectScope, 'id'>, { opNames, query }: MonitorDefinition): MonitoredCalls {
  const op_names = opNames.flatMap((name) => (name.startsWith('weave:') ? [name] : [name, `weave:///${id}/op/${name}:*`]))
  return {
    filter: { ...noCallsFilter, op_names: op_names.length === 0 ? null : op_names },
    query: { $expr: { $and: [...(query === null ? [] : [query.$expr]), { $not: [isScore] }] } },
  }
}
