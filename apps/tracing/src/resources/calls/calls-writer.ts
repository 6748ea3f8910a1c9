import type { CallRow, KeyedLock } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { CallChange } from './call-change.ts'
import type { CallsStore } from './calls-store.ts'
import type { HybridClock } from './hybrid-clock.ts'
import { mergeCall } from './merge-call.ts'

/** Changes of calls of one project. */
export interface ProjectChanges {
  project: ProjectScope
  changes: readonly CallChange[]
}

/** The one way in which calls are written. */
export interface CallsWriter {
  /** Merges the changes into their calls and stores the results as a whole. Resolves when they are durable and readable. */
  write(batch: readonly ProjectChanges[]): Promise<void>
}

interface CallsWriterDeps {
  store: CallsStore
  locks: KeyedLock
  clock: HybridClock
}

/** Writers of one call wait for each other, so that each merge sees the version before it, also that of another server. */
export function createCallsWriter({ store, locks, clock }: CallsWriterDeps): CallsWriter {
  async function merge({ project, changes }: ProjectChanges): Promise<CallRow[]> {
    const byId = groupById(changes)
    const stored = new Map((await store.findLatest(project, [...byId.keys()])).map((row) => [row.id, row]))
    return [...byId].flatMap(([id, own]) => {
      const latest = stored.get(id)
      const merged = mergeCall({ project_id: project.id, id }, latest, own, clock.next(latest?.version))
      if (merged === undefined) return []
      return merged.moved === undefined ? [merged.row] : [merged.moved, merged.row]
    })
  }
  return {
    write(batch) {
      const keys = batch.flatMap(({ project, changes }) => changes.map((change) => `${project.id}\0${change.id}`))
      return locks.withKeys(keys, async () => {
        const rows = (await Promise.all(batch.map(merge))).flat()
        if (rows.length > 0) await store.append(rows)
      })
    },
  }
}

function groupById(changes: readonly CallChange[]): Map<string, CallChange[]> {
  const byId = new Map<string, CallChange[]>()
  for (const change of changes) {
    const own = byId.get(change.id)
    if (own === undefined) byId.set(change.id, [change])
    else own.push(change)
  }
  return byId
}
