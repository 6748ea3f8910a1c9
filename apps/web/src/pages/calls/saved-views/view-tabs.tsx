import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Bookmark, type LucideIcon, Monitor } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { compactCount } from '../../../lib/texts/compact-count.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { callCountQuery } from '../../../features/calls/counts/call-counts.ts'
import { TabCount } from '../../../ui/tabs.tsx'
import { builtInViews, isShownAs, type SavedView } from './saved-view.ts'
import type { SharedView } from './shared-view.ts'

const route = getRouteApi('/$entity/$project/calls')

interface Properties {
  shared: readonly SharedView[]
  /** Views that this browser keeps for itself. */
  own: readonly SavedView[]
  isBusy: boolean
  /** False until the rows of the list have loaded, so that counting does not delay them. */
  canCount: boolean
  /** At the end of the line. */
  actions: ReactNode
}

/** Links to the views. */
export function ViewTabs({ shared, own, isBusy, canCount, actions }: Properties) {
  return (
    <div className="flex h-10 shrink-0 items-center border-b border-line px-4">
      <nav aria-label="Views" aria-busy={isBusy} className="-mb-px h-full min-w-0 grow overflow-x-auto">
        <ul className="flex h-full items-stretch gap-4">
          {builtInViews.map((view) => (
            <ViewTab key={view.name} view={view} count={view.isCounted && canCount && <RowCount search={view.search} />} />
          ))}
          {shared.map((view) => (
            <ViewTab
              key={view.objectId}
              view={view}
              icon={Bookmark}
              tip={view.savedBy === null ? undefined : `Saved by ${readableName(view.savedBy)}`}
            />
          ))}
          {own.map((view, at) => (
            // A name may be saved twice.
            <ViewTab key={`${at} ${view.name}`} view={view} icon={Monitor} tip="Only in this browser" />
          ))}
        </ul>
      </nav>
      {actions}
    </div>
  )
}

interface TabProperties {
  view: SavedView
  icon?: LucideIcon
  tip?: string | undefined
  /** After its name. */
  count?: ReactNode
}

function ViewTab({ view: { name, search }, icon: Icon, tip, count }: TabProperties) {
  const { entity, project } = useProject()
  const isShown = route.useSearch({ select: (shown) => isShownAs(shown, search) })
  return (
    <li className="flex shrink-0">
      <Link
        to="/$entity/$project/calls"
        params={{ entity, project }}
        search={search}
        activeOptions={{ exact: true, explicitUndefined: true }}
        aria-current={isShown ? 'page' : undefined}
        data-tip={tip}
        className="flex items-center gap-1.5 border-b-2 border-transparent whitespace-nowrap text-fg-2 -outline-offset-2 hover:text-fg aria-[current=page]:border-fg aria-[current=page]:font-medium aria-[current=page]:text-fg"
      >
        {Icon && <Icon size={14} strokeWidth={1.75} aria-hidden />}
        {name}
        {count}
      </Link>
    </li>
  )
}

/** How many rows a view has; nothing if it has none. */
function RowCount({ search }: { search: SavedView['search'] }) {
  const { id } = useProject()
  const { data, isLoading } = useQuery(callCountQuery(id, search))
  if (isLoading) return <span aria-busy="true" />
  if (!data || data.count === 0) return null
  return (
    <>
      {' '}
      <TabCount>{`${compactCount(data.count)}${data.has_more ? '+' : ''}`}</TabCount>
    </>
  )
}
