import { useLocation } from '@tanstack/react-router'
import { Activity, Boxes, Search } from 'lucide-react'
import { cx } from '../../lib/cx.ts'
import { KeyHint } from '../../ui/key-hint.tsx'
import { useLoaded } from '../../ui/states/use-loaded.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { type ProjectName, useProjectIfAny } from '../../lib/use-project.ts'
import { isPageOf, navigation } from '../navigation.ts'
import { NavigationLink } from './navigation-link.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { SidebarFoot } from './sidebar-foot.tsx'

interface Properties {
  username: string
  /** A rail of icons. */
  isNarrow: boolean
  onSearch: () => void
  onHelp: () => void
}

/** Navigation with the current location, next to every page of a signed-in user. */
export function Sidebar({ username, isNarrow, onSearch, onHelp }: Properties) {
  const project = useProjectIfAny()
  return (
    <aside aria-label="Sidebar" className={cx('flex shrink-0 flex-col', isNarrow ? 'w-14 items-center' : 'w-56')}>
      <div className={cx('flex h-14 shrink-0 items-center', !isNarrow && 'px-3')}>
        <ProjectSwitcher project={project} isNarrow={isNarrow} />
      </div>
      <div className={cx('pb-3', !isNarrow && 'px-3')}>
        <SearchButton isNarrow={isNarrow} onSearch={onSearch} />
      </div>
      <nav aria-label={project ? 'Project' : 'Server'} className={cx('min-h-0 grow overflow-y-auto pb-2', isNarrow ? 'px-1' : 'px-3')}>
        {project ? <ProjectPages project={project} isNarrow={isNarrow} /> : <ServerPages isNarrow={isNarrow} />}
      </nav>
      <SidebarFoot username={username} isNarrow={isNarrow} onHelp={onHelp} />
    </aside>
  )
}

function SearchButton({ isNarrow, onSearch }: Pick<Properties, 'isNarrow' | 'onSearch'>) {
  const button = (
    <button
      type="button"
      aria-label="Search"
      aria-keyshortcuts="Control+K Meta+K"
      aria-haspopup="dialog"
      onClick={onSearch}
      className={cx(
        'flex h-8 items-center gap-2 rounded-md border border-line-2 bg-sheet text-fg-3 shadow-sm hover:text-fg',
        isNarrow ? 'w-8 justify-center' : 'w-full px-2',
      )}
    >
      <Search size={14} aria-hidden />
      {!isNarrow && (
        <>
          <span className="grow text-left">Search</span>
          <KeyHint keys="mod+k" />
        </>
      )}
    </button>
  )
  return isNarrow ? (
    <Tooltip text="Search" keys="mod+k" placement="right">
      {button}
    </Tooltip>
  ) : (
    button
  )
}

const loadMark = () => import('./under-way-mark.tsx').then(({ UnderWayMark }) => UnderWayMark)

function ProjectPages({ project: name, isNarrow }: { project: ProjectName; isNarrow: boolean }) {
  const { entity, project } = name
  const Mark = useLoaded(loadMark)
  const address = useLocation({ select: ({ pathname }) => pathname.split('/').slice(3).join('/').replace(/\/$/, '') })
  return navigation.map(({ title, pages }, at) => (
    <div key={pages[0]?.title} className={at === 0 ? '' : isNarrow ? 'mt-2' : 'mt-3'}>
      {title !== null && !isNarrow && <h2 className="mb-0.5 px-2 text-2xs font-medium text-fg-3">{title}</h2>}
      {at > 0 && isNarrow && <div className="mx-auto mb-2 h-px w-6 bg-line-2" />}
      <ul className="flex flex-col gap-px">
        {pages.map((page) => (
          <NavigationLink
            key={page.title}
            title={page.title}
            icon={page.icon}
            to={page.path === '' ? '/$entity/$project' : `/$entity/$project/${page.path}`}
            params={{ entity, project }}
            isCurrent={isPageOf(page, address)}
            isNarrow={isNarrow}
            {...(Mark &&
              page.underWay && {
                markId: page.underWay,
                mark: <Mark id={page.underWay} what={page.underWay} project={name} isNarrow={isNarrow} />,
              })}
          />
        ))}
      </ul>
    </div>
  ))
}

function ServerPages({ isNarrow }: { isNarrow: boolean }) {
  const { pathname } = useLocation()
  return (
    <ul className="flex flex-col gap-px">
      <NavigationLink title="Projects" icon={Boxes} to="/" isCurrent={pathname === '/'} isNarrow={isNarrow} />
      <NavigationLink title="Status" icon={Activity} to="/status" isCurrent={pathname === '/status'} isNarrow={isNarrow} />
    </ul>
  )
}
