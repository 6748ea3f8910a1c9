import { parseRef } from '@heddle/core-api'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'

/** Leads to the version where it is of this project. */
export function DatasetLink({ dataset }: { dataset: string }) {
  const project = useProject()
  const ref = parseRef(dataset)
  if (ref?.kind !== 'object') return <span className="muted">none named</span>
  if (`${ref.entity}/${ref.project}` !== project.id) return <>{ref.name}, of another project</>
  return (
    <Link to="/$entity/$project/datasets/$object" params={{ ...project, object: ref.name }} search={{ version: ref.digest }}>
      {ref.name}:{ref.digest.slice(0, 8)}
    </Link>
  )
}
