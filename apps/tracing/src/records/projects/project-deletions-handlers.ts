import { formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import type { ProjectDeletion } from '@heddle/core-api/types'
import type { TracingContext } from '../../context.ts'
import type { DeletionsStore, RecordsDeletion } from '../../deletions/deletions-store.ts'

interface ProjectDeletionsDeps {
  deletions: Pick<DeletionsStore, 'list'>
}

/** The operation that shows how far large deletions are. */
export function projectDeletionsHandlers({
  deletions,
}: ProjectDeletionsDeps): Handlers<Pick<(typeof tracing)['projects'], 'queryDeletions'>, TracingContext> {
  return {
    async queryDeletions({ project_id, limit }, context) {
      const found = await deletions.list(await context.open(project_id), limit)
      return { deletions: found.map(toShown) }
    },
  }
}

function toShown({ id, kind, deleted_at, total, removed, ended_at }: RecordsDeletion): ProjectDeletion {
  return {
    id,
    kind,
    deleted_at: formatTimestamp(deleted_at),
    total,
    removed,
    ended_at: ended_at === null ? null : formatTimestamp(ended_at),
  }
}
