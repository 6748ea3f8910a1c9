import type { DataSelection } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { ObjectValuesStore } from '../../records/objects/values/object-values-store.ts'
import type { ObjectsStore } from '../../records/objects/objects-store.ts'
import type { ObjectDeletionStore } from '../../records/objects/versions/object-deletion-store.ts'
import type { SelectedVersionsStore } from './selected-versions-store.ts'

export interface RemoveVersionsDeps {
  selected: SelectedVersionsStore
  objects: Pick<ObjectsStore, 'findNamed' | 'markValueDeleted'>
  values: Pick<ObjectValuesStore, 'remove'>
  deletion: Pick<ObjectDeletionStore, 'delete'>
  clock: () => Micros
}

export interface VersionsWork {
  selection: DataSelection
  /** Who deletes them. */
  requestedBy: string
  signal: AbortSignal
  onRemoved: (versions: number) => Promise<void>
}

/** Versions, or values, of one step. */
const atOnce = 200

/** Deletes the versions of objects that a deletion of data covers, with their values, unless a version that stays has the same. */
export function createRemoveVersions({ selected, objects, values, deletion, clock }: RemoveVersionsDeps) {
  async function deleteLive(project: ProjectScope, { selection, requestedBy, signal, onRemoved }: VersionsWork): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const some = await selected.live(project, selection, atOnce)
      const [first] = some
      if (first === undefined) return
      const wanted = [...new Set(some.map(({ digest }) => digest))].map((digest) => ({ by: 'digest' as const, digest }))
      const deleted = await deletion.delete(project, { object_id: first.object_id, wanted, at: clock(), wb_user_id: requestedBy })
      // They are being deleted by a request, or were meanwhile.
      if (deleted.count === 0) throw new Error(`versions of object ${first.object_id} could not be deleted yet`)
      await onRemoved(deleted.count)
    }
  }

  async function removeValues(project: ProjectScope, { selection, signal }: VersionsWork): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const some = await selected.deleted(project, selection, atOnce)
      if (some.length === 0) return
      const keys = [...new Set(some.map(({ digest }) => digest))].map((digest) => ({ project_id: project.id, digest }))
      const removed = await values.remove(project, keys, (unnamed) => objects.findNamed(unnamed, Number.MAX_SAFE_INTEGER))
      await objects.markValueDeleted(project.id, removed, clock())
      await selected.forgetAuthor(project, some)
    }
  }

  return async (project: ProjectScope, work: VersionsWork) => {
    if (work.selection.kind === 'calls') return
    await deleteLive(project, work)
    await removeValues(project, work)
  }
}
