import { Link } from '@tanstack/react-router'
import { ListTree, SearchX } from 'lucide-react'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import { useProject } from '../../../lib/use-project.ts'
import { EmptyState } from '../../../ui/card.tsx'

/** Shown instead of rows if there are no rows: how to get some, or to see others. */
export function NoCalls({ search }: { search: CallsSearch }) {
  const { entity, project } = useProject()
  const { where, filter, text, traces, status, review } = search
  if ([where, filter, text, traces, status, review].some((part) => part !== undefined)) {
    return (
      <EmptyState
        icon={SearchX}
        title={search.level === 'all' ? 'No spans match' : 'No traces match'}
        actions={
          <Link
            to="/$entity/$project/calls"
            params={{ entity, project }}
            search={{ level: search.level }}
            className="font-medium text-accent-text hover:underline"
          >
            Clear filters
          </Link>
        }
      />
    )
  }
  return (
    <EmptyState icon={ListTree} title="No traces yet">
      <Link to="/$entity/$project" params={{ entity, project }} className="font-medium text-accent-text hover:underline">
        The overview of the project
      </Link>{' '}
      says how to send some.
    </EmptyState>
  )
}
