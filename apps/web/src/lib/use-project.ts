import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'

export interface ProjectName {
  entity: string
  project: string
  /** `entity/project`. */
  id: string
}

/** The project of the page: the same object until the page shows another one, so that what depends on it can be memoized. */
export function useProject(): ProjectName {
  const { entity, project } = useParams({ from: '/$entity/$project' })
  return useMemo(() => ({ entity, project, id: `${entity}/${project}` }), [entity, project])
}

/** The project of the page; undefined on a page that belongs to none. */
export function useProjectIfAny(): ProjectName | undefined {
  const { entity, project } = useParams({ strict: false })
  return entity === undefined || project === undefined ? undefined : { entity, project, id: `${entity}/${project}` }
}
