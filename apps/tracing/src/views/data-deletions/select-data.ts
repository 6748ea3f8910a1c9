import type { DataCounts, DataSelection } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'
import { noData } from './data-counts.ts'
import type { ListedCallsStore } from './listed-calls-store.ts'
import { pagesOf } from './list-pages.ts'
import type { NamedContentStore } from './named-content-store.ts'
import type { QueuedCallsRemovalStore } from './queued-calls-removal-store.ts'
import type { SelectedFeedbackStore } from './selected-feedback-store.ts'
import type { SelectedVersionsStore } from './selected-versions-store.ts'

export interface SelectDataDeps {
  lists: ListedCallsStore
  feedback: SelectedFeedbackStore
  versions: SelectedVersionsStore
  queued: QueuedCallsRemovalStore
  content: Pick<NamedContentStore, 'namedByValues' | 'namedByRows'>
}

export interface SelectData {
  /** Lists the calls of a selection under the id of a deletion, and counts what it covers. May be repeated. */
  list(project: ProjectScope, deletionId: string, selection: DataSelection): Promise<DataCounts>
  /** Lists what the covered records name. May be repeated. */
  listNamed(project: ProjectScope, deletionId: string, selection: DataSelection): Promise<void>
  /** Pages through the ids of the listed calls. */
  callIds(project: ProjectScope, deletionId: string): AsyncIterable<string[]>
}

const idsAtOnce = 5_000
const digestsAtOnce = 500

export function createSelectData({ lists, feedback, versions, queued, content }: SelectDataDeps): SelectData {
  const callIds = (project: ProjectScope, deletionId: string) => pagesOf((part) => lists.ids(project, deletionId, part), idsAtOnce)

  async function countQueued(project: ProjectScope, deletionId: string): Promise<number> {
    let count = 0
    for await (const ids of callIds(project, deletionId)) count += await queued.count(project, ids)
    return count
  }

  return {
    callIds,

    async list(project, deletionId, selection) {
      if (selection.kind !== 'project') await lists.listCalls(project, deletionId, selection)
      return {
        ...noData,
        calls: await (selection.kind === 'project' ? lists.countAll(project) : lists.count(project, deletionId)),
        feedback: await feedback.count(project, { deletionId, selection }),
        annotation_items: await (selection.kind === 'project' ? queued.countAll(project) : countQueued(project, deletionId)),
        object_versions: await versions.count(project, selection),
      }
    },

    async listNamed(project, deletionId, selection) {
      // All content of a project is covered, whatever names it.
      if (selection.kind === 'project') return
      await lists.listNamed(project, deletionId)
      await lists.addNamed(project, deletionId, feedback.named(project, { deletionId, selection }))
      for await (const digests of pagesOf((part) => versions.digests(project, selection, part), digestsAtOnce))
        await lists.addNamed(project, deletionId, content.namedByValues(project, digests))
      await lists.addNamed(project, deletionId, content.namedByRows(project, deletionId))
    },
  }
}
