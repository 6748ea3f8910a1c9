import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { CreateQueue } from './create-queue.tsx'
import { QueueProgress } from './queue-progress.tsx'
import { maxQueues, queuesQuery } from './queue-queries.ts'

/** The annotation queues of a project, with how much of each is done, and the way to create one. */
export function QueuesPage() {
  const project = useProject()
  const query = useQuery(queuesQuery(client, project.id))
  return (
    <>
      <h1>Annotation queues</h1>
      <ShowQuery query={query} what="queues">
        {({ queues, hasMore }) =>
          queues.length === 0 ? (
            <Empty title="No queues yet">
              A queue is a list of calls that people review, one at a time. Create one below, and add calls to it with
              annotationQueues.addCalls.
            </Empty>
          ) : (
            <>
              <div className="scroll">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">Name</th>
                      <th scope="col">Done</th>
                      <th scope="col">Created</th>
                      <th scope="col">By</th>
                    </tr>
                  </thead>
                  <tbody>
                    {queues.map(({ id, name, stats, created_at, created_by }) => (
                      <tr key={id}>
                        <td>
                          <Link to="/$entity/$project/queues/$queue" params={{ ...project, queue: id }}>
                            {name}
                          </Link>
                        </td>
                        <td>
                          <QueueProgress done={stats?.completed_items ?? 0} total={stats?.total_items ?? 0} />
                        </td>
                        <td>
                          <Time value={created_at} />
                        </td>
                        <td>{created_by}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {hasMore && <p className="notice">The newest {maxQueues} queues are shown; there are more.</p>}
            </>
          )
        }
      </ShowQuery>
      <CreateQueue />
    </>
  )
}
