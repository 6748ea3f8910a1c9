import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { exactClient as client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Card } from '../../ui/card.tsx'
import { CallsOfVersion } from '../../features/library/calls-of-version.tsx'
import { evaluationsOfDatasetQuery } from '../../features/datasets/dataset-queries.ts'
import type { DatasetVersion } from '../../features/datasets/dataset-versions.ts'

/** The evaluations that name the dataset, and the calls that took the version as input. */
export function DatasetUses({ objectId, version }: { objectId: string; version: DatasetVersion }) {
  const { entity, project } = useProject()
  const query = useQuery(evaluationsOfDatasetQuery(client, entity, project, objectId))
  return (
    <div className="flex max-w-280 flex-col gap-4 p-4">
      <Card title="Evaluations">
        <ShowQuery query={query} what="evaluations">
          {(evaluations) =>
            evaluations.length === 0 ? (
              <p className="text-fg-3">No evaluation uses this dataset</p>
            ) : (
              <ul className="flex flex-col gap-1">
                {evaluations.map(({ objectId: evaluation, name, dataset }) => (
                  <li key={evaluation} className="flex min-h-6 items-center gap-2">
                    <Link
                      to="/$entity/$project/$kind/$object"
                      params={{ entity, project, kind: 'objects', object: evaluation }}
                      className="truncate font-medium"
                    >
                      {name}
                    </Link>
                    <span className="shrink-0 text-fg-3">
                      {dataset.endsWith(`:${version.digest}`) ? 'This version' : 'Another version'}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </ShowQuery>
      </Card>
      <Card title="Calls">
        <CallsOfVersion name={objectId} digest={version.digest} isOp={false} />
      </Card>
    </div>
  )
}
