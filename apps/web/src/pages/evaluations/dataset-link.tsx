import { parseRef } from '@heddle/core-api'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../lib/use-project.ts'
import { NameTag } from '../../ui/badge.tsx'

/** Name and version of a dataset; empty for anything but a reference to one. */
export function datasetText(dataset: string): string {
  const ref = parseRef(dataset)
  return ref?.kind === 'object' ? `${ref.name}:${ref.digest.slice(0, 8)}` : ''
}

/** Leads to the version where it is of this project. */
export function DatasetLink({ dataset }: { dataset: string }) {
  const project = useProject()
  const ref = parseRef(dataset)
  if (ref?.kind !== 'object') return <span className="text-fg-3">–</span>
  if (`${ref.entity}/${ref.project}` !== project.id) return <span className="text-fg-2">{ref.name}, of another project</span>
  return (
    <Link
      to="/$entity/$project/datasets/$object"
      params={{ ...project, object: ref.name }}
      search={{ version: ref.digest }}
      aria-label={datasetText(dataset)}
      className="min-w-0 text-fg-2 hover:text-fg hover:underline"
    >
      <NameTag text={datasetText(dataset)} />
    </Link>
  )
}
