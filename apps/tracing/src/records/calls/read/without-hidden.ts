import type { ProjectScope } from '@heddle/identity'
import type { ProjectVisibility } from '../../../deletions/visibility.ts'
import { hidesNoCall } from '../../../query/visible-records.ts'
import type { CallsStore } from '../calls-store.ts'

/** A store whose look-ups by id do not find what deletions hide; its statements look for it themselves. */
export function withoutHidden(store: CallsStore, visibility: ProjectVisibility): CallsStore {
  async function isHidden(project: ProjectScope, { id, trace_id }: { id: string; trace_id: string }): Promise<boolean> {
    const { hidden } = await visibility.of(project)
    if (hidesNoCall(hidden)) return false
    return hidden.traces.includes(trace_id) || (hidden.deletions.length > 0 && (await store.isListed(project, id, hidden.deletions)))
  }

  return {
    ...store,

    async readOne(project, id) {
      const call = await store.readOne(project, id)
      return call !== undefined && (await isHidden(project, call)) ? undefined : call
    },

    async traceOf(project, id) {
      const trace_id = await store.traceOf(project, id)
      return trace_id !== undefined && (await isHidden(project, { id, trace_id })) ? undefined : trace_id
    },
  }
}
