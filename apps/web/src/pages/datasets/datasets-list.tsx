import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { exactClient as client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { IconButton } from '../../ui/button.tsx'
import { SideItem, sideLink, SideList } from '../../ui/side-list.tsx'
import { datasetsQuery, rowsText } from '../../features/datasets/dataset-queries.ts'

/** The datasets of the project next to the one shown. */
export function DatasetsList({ shown, onNew }: { shown: string; onNew: () => void }) {
  const { entity, project, id } = useProject()
  const datasets = useQuery(datasetsQuery(client, id)).data?.datasets ?? []
  return (
    <SideList
      label="Datasets"
      head={
        <>
          <span className="grow pl-1 font-semibold">All datasets</span>
          <IconButton label="Import dataset" icon={Plus} onClick={onNew} />
        </>
      }
    >
      {datasets.map(({ objectId, name, index, rowCount, createdAt }) => (
        <li key={objectId}>
          <Link
            to="/$entity/$project/datasets/$object"
            params={{ entity, project, object: objectId }}
            aria-current={objectId === shown ? 'page' : undefined}
            className={sideLink}
          >
            <SideItem name={name} mark={`v${index}`} note={rowsText(rowCount)} aside={<TimeInColumn value={createdAt} />} />
          </Link>
        </li>
      ))}
    </SideList>
  )
}
