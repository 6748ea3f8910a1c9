import { Link } from '@tanstack/react-router'
import { useProject } from '../../../app/use-project.ts'
import type { SavedView } from './saved-view.ts'

/** A link to what a view shows. */
export function ViewLink({ view: { name, search }, title }: { view: SavedView; title?: string | undefined }) {
  const { entity, project } = useProject()
  return (
    <Link
      to="/$entity/$project/calls"
      params={{ entity, project }}
      search={search}
      activeOptions={{ exact: true, explicitUndefined: true }}
      title={title}
    >
      {name}
    </Link>
  )
}
