import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { CallsOfVersion } from '../library/calls-of-version.tsx'
import { evaluationsOfDatasetQuery } from './dataset-queries.ts'
import type { DatasetVersion } from './dataset-versions.ts'

/** The evaluations that name the dataset, and the calls that took the version as input. */
export function DatasetUses({ objectId, version }: { objectId: string; version: DatasetVersion }) {
  const { entity, project } = useProject()
  const query = useQuery(evaluationsOfDatasetQuery(client, entity, project, objectId))
  return (
    <>
      <h2>Evaluations</h2>
      <ShowQuery query={query} what="evaluations">
        {(evaluations) =>
          evaluations.length === 0 ? (
            <p className="muted">No evaluation uses this dataset.</p>
          ) : (
            <ul>
              {evaluations.map(({ objectId: evaluation, name, dataset }) => (
                <li key={evaluation}>
                  <Link to="/$entity/$project/$kind/$object" params={{ entity, project, kind: 'objects', object: evaluation }}>
                    {name}
                  </Link>{' '}
                  <span className="muted">with {dataset.endsWith(`:${version.digest}`) ? 'this version' : 'another version'}</span>
                </li>
              ))}
            </ul>
          )
        }
      </ShowQuery>
      <h2>Calls</h2>
      <CallsOfVersion name={objectId} digest={version.digest} isOp={false} />
    </>
  )
}
