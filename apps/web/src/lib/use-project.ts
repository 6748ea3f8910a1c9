import { useParams } from '@tanstack/react-router'

export interface ProjectName {
  entity: string
  project: string
  /** `entity/project`. */
  id: string
}

/** The project of the page. */
export function useProject(): ProjectName {
  const { entity, project } = useParams({ from: '/$entity/$project' })
  return { entity, project, id: `${entity}/${project}` }
}

/** The project of the page; undefined on a page that belongs to none. */
export function useProjectIfAny(): ProjectName | undefined {
  const { entity, project } = useParams({ strict: false })
  return entity === undefined || project === undefined ? undefined : { entity, project, id: `${entity}/${project}` }
}
