import { Check, ChevronsUpDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { cx } from '../../lib/cx.ts'
import { Menu } from '../../ui/menu.tsx'
import type { ProjectName } from '../../lib/use-project.ts'
import { PendingItems } from './pending-items.tsx'
import { Mark } from '../../ui/brand/mark.tsx'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'

/** Only an open menu needs the list of projects. */
const ProjectItems = lazyPart(() => import('./project-items.tsx').then(({ ProjectItems }) => ProjectItems))

const NewProject = lazyDialog(() => import('../../pages/projects/new-project.tsx').then(({ NewProject }) => NewProject))

/** Shows the project's name, and links to other projects. */
export function ProjectSwitcher({ project, isNarrow }: { project: ProjectName | undefined; isNarrow: boolean }) {
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <Menu
        label="Projects"
        placement="bottom-start"
        trigger={
          <button
            type="button"
            aria-label={project ? `Project ${project.id}` : 'Projects'}
            className={cx(
              'flex h-10 min-w-0 items-center gap-2.5 rounded-md px-2 text-left pressable [--on-hover:var(--active)] [--on-press:var(--line-2)]',
              !isNarrow && 'w-full',
            )}
          >
            <Mark size={22} />
            {!isNarrow && (
              <>
                <span className="min-w-0 grow leading-4">
                  <span className="block truncate font-semibold">{project?.project ?? 'Heddle'}</span>
                  <span className="block truncate text-2xs text-fg-2">{project?.entity ?? 'All projects'}</span>
                </span>
                <ChevronsUpDown size={14} aria-hidden className="text-fg-3" />
              </>
            )}
          </button>
        }
      >
        <Suspense fallback={<PendingItems />}>
          <ProjectItems
            current={project?.id}
            mark={<Check size={14} aria-label="current" className="text-accent-text" />}
            onNew={() => setNaming(true)}
          />
        </Suspense>
      </Menu>
      {isNaming && <NewProject open onClose={() => setNaming(false)} />}
    </>
  )
}
