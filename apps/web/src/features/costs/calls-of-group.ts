import type { Condition } from '../filter/call-condition.ts'
import { usedModel } from '../filter/calls-filter.ts'
import type { Grouping } from './costs-search.ts'

const refScheme = 'weave:///'

/** The conditions that the calls of a group meet. */
export function callsOfGroup(by: Grouping, key: string | null): Condition[] {
  switch (by) {
    case 'model':
      // Clients omit usage if there is none.
      if (key === null) return [{ path: 'summary.usage', operator: '=', value: '' }]
      return [usedModel(key)]
    case 'op':
      return [opCondition(key ?? '')]
    case 'user':
      return [{ path: 'wb_user_id', operator: '=', value: key }]
    case 'thread':
      return [{ path: 'thread_id', operator: '=', value: key }]
  }
}

/** All versions of an op, or the calls with a plain name. */
function opCondition(key: string): Condition {
  const isRef = key.startsWith(refScheme)
  return { path: 'op_name', operator: isRef ? 'contains' : '=', value: isRef ? `${key}:` : key }
}

/** A model of the project itself without the name of the project. */
export const nameWithin = (project: string, model: string) => (model.startsWith(`${project}/`) ? model.slice(project.length + 1) : model)

/** The name of a group, as shown. */
export function nameOfGroup(by: Grouping, key: string | null): string {
  if (key === null) return `no ${by}`
  return by === 'op' && key.startsWith(refScheme) ? key.slice(key.lastIndexOf('/') + 1) : key
}
