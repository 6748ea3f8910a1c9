import { getRouteApi, Link } from '@tanstack/react-router'
import { Bookmark, type LucideIcon, Monitor } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { builtInViews, isShownAs, type SavedView } from './saved-view.ts'
import type { SharedView } from './shared-view.ts'

const route = getRouteApi('/$entity/$project/calls')

interface Properties {
  shared: readonly SharedView[]
  /** Views that this browser keeps for itself. */
  own: readonly SavedView[]
  isBusy: boolean
  /** At the end of the line. */
  actions: ReactNode
}

/** Links to the views. */
export function ViewTabs({ shared, own, isBusy, actions }: Properties) {
  return (
    <div className="flex h-10 shrink-0 items-center border-b border-line px-4">
      <nav aria-label="Views" aria-busy={isBusy} className="-mb-px h-full min-w-0 grow overflow-x-auto">
        <ul className="flex h-full items-stretch gap-4">
          {builtInViews.map((view) => (
            <ViewTab key={view.name} view={view} />
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

function ViewTab({ view: { name, search }, icon: Icon, tip }: { view: SavedView; icon?: LucideIcon; tip?: string | undefined }) {
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
      </Link>
    </li>
  )
}
