import type { ListedProject } from '@heddle/core-api/types'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { projectsQuery } from '../../pages/projects/projects-queries.ts'
import { PendingItems } from './pending-items.tsx'
import { MenuItem, MenuSection, MenuSeparator } from '../../ui/menu.tsx'

/** More are found on the page of all projects, which searches. */
const maxListed = 20

interface Properties {
  /** Id of the project of the page. */
  current: string | undefined
  mark: ReactNode
  onNew: () => void
}

/** The first projects that the key may read, by their team or person. */
export function ProjectItems({ current, mark, onNew }: Properties) {
  const navigate = useNavigate()
  const { data } = useInfiniteQuery(projectsQuery(undefined))
  const entities = useMemo(() => byEntity(data?.pages.flatMap((page) => page.projects).slice(0, maxListed) ?? []), [data])
  return (
    <>
      {data === undefined && <PendingItems />}
      {entities.map(([entity, projects]) => (
        <MenuSection key={entity} label={entity}>
          {projects.map(({ id, name }) => (
            <MenuItem
              key={id}
              note={id === current && mark}
              onClick={() => void navigate({ to: '/$entity/$project', params: { entity, project: name } })}
            >
              <span className="block max-w-72 truncate">{name}</span>
            </MenuItem>
          ))}
        </MenuSection>
      ))}
      {entities.length > 0 && <MenuSeparator />}
      <MenuItem onClick={() => void navigate({ to: '/' })}>All projects</MenuItem>
      <MenuItem icon={Plus} onClick={onNew}>
        New project…
      </MenuItem>
    </>
  )
}

function byEntity(projects: readonly ListedProject[]): [string, ListedProject[]][] {
  const groups = new Map<string, ListedProject[]>()
  for (const project of projects) {
    const group = groups.get(project.entity)
    if (group) group.push(project)
    else groups.set(project.entity, [project])
  }
  return [...groups]
}
