import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { toCell } from '../../components/to-text.ts'
import { CreateDataset } from './create-dataset.tsx'
import { datasetsQuery, type ListedDataset } from './dataset-queries.ts'

/** The datasets of a project, and the way to import one. */
export function DatasetsPage() {
  const project = useProject()
  const navigate = useNavigate()
  const query = useQuery(datasetsQuery(client, project.id))
  const open = (object: string) => void navigate({ to: '/$entity/$project/datasets/$object', params: { ...project, object } })
  return (
    <>
      <h1>Datasets</h1>
      <ShowQuery query={query} what="datasets">
        {({ datasets, hasMore }) =>
          datasets.length === 0 ? (
            <Empty title="No datasets yet">
              A dataset is a list of rows to evaluate models on. Import a file below, or publish one from a program with datasets.create.
            </Empty>
          ) : (
            <>
              <DatasetsTable datasets={datasets} />
              {hasMore && <p className="notice">The newest {datasets.length} datasets are shown; there are more.</p>}
            </>
          )
        }
      </ShowQuery>
      <CreateDataset onCreated={open} />
    </>
  )
}

function DatasetsTable({ datasets }: { datasets: readonly ListedDataset[] }) {
  const project = useProject()
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" className="number">
              Rows
            </th>
            <th scope="col">Latest version</th>
            <th scope="col">Published</th>
            <th scope="col">Description</th>
          </tr>
        </thead>
        <tbody>
          {datasets.map(({ objectId, name, rowCount, index, createdAt, description }) => (
            <tr key={objectId}>
              <td>
                <Link to="/$entity/$project/datasets/$object" params={{ ...project, object: objectId }}>
                  {name}
                </Link>
              </td>
              <td className="number">{rowCount?.toLocaleString('en') ?? 'not known'}</td>
              <td>v{index}</td>
              <td>
                <Time value={createdAt} />
              </td>
              <td>{toCell(description, 300)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
