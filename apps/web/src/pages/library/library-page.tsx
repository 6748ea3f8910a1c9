import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { NotFound } from '../../app/page-error.tsx'
import { useProject } from '../../app/use-project.ts'
import { Empty } from '../../components/empty.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { findKind, type LibraryKind } from './library-kinds.ts'
import { objectsQuery } from './library-queries.ts'
import { VersionLabels } from './version-labels.tsx'

/** The latest versions of the objects of a kind. */
export function LibraryPage() {
  const { kind } = useParams({ from: '/$entity/$project/$kind' })
  const known = findKind(kind)
  return known ? <KindPage kind={known} /> : <NotFound />
}

function KindPage({ kind }: { kind: LibraryKind }) {
  const project = useProject()
  const query = useInfiniteQuery(objectsQuery(client, project, kind))
  return (
    <>
      <h1>{kind.title}</h1>
      <ShowQuery query={{ ...query, data: query.data?.pages.flat() }} what={kind.title.toLowerCase()}>
        {(objects) =>
          objects.length === 0 ? (
            <Empty title={`No ${kind.title.toLowerCase()} yet`}>{kind.empty}</Empty>
          ) : (
            <div className="scroll">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Latest version</th>
                    <th scope="col">Class</th>
                    <th scope="col">Published</th>
                    <th scope="col">Aliases and tags</th>
                  </tr>
                </thead>
                <tbody>
                  {objects.map((one) => (
                    <tr key={`${one.kind} ${one.object_id}`}>
                      <td>
                        <Link
                          to="/$entity/$project/$kind/$object"
                          params={{ ...project, kind: one.kind === 'op' ? 'ops' : kind.path, object: one.object_id }}
                        >
                          {one.object_id}
                        </Link>
                      </td>
                      <td>v{one.version_index}</td>
                      <td>{one.leaf_object_class ?? ''}</td>
                      <td>
                        <Time value={one.created_at} />
                      </td>
                      <td>
                        <VersionLabels aliases={one.aliases} tags={one.tags} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </ShowQuery>
      <MoreButton query={query}>Show more</MoreButton>
    </>
  )
}
