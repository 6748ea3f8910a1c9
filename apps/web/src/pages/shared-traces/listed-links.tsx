import type { SharedTrace } from '@heddle/core-api'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { linksQuery, readLinksAgain } from './links-query.ts'

interface Properties {
  /** Of the trace whose links are listed; null for those of all traces of the project. */
  traceId: string | null
  /** Shown where there are none. */
  none: string
}

/** The public links that can be used, to revoke. */
export function ListedLinks({ traceId, none }: Properties) {
  const { id } = useProject()
  const query = useInfiniteQuery(linksQuery(id, traceId))
  const links = query.data?.pages.flatMap((page) => page.shared_traces)
  return (
    <>
      <ShowQuery query={{ ...query, data: links }} what="the public links">
        {(all) => (all.length === 0 ? <p>{none}</p> : <LinksTable links={all} namesTraces={traceId === null} />)}
      </ShowQuery>
      <MoreButton query={query}>Older links</MoreButton>
    </>
  )
}

function LinksTable({ links, namesTraces }: { links: readonly SharedTrace[]; namesTraces: boolean }) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: ({ id }: SharedTrace) => client.sharedTraces.delete({ project_id, id }),
    onSettled: () => readLinksAgain(queries, project_id),
  })
  function ask(link: SharedTrace) {
    if (window.confirm('Revoke this link? Whoever has it sees nothing from then on.')) revoke.mutate(link)
  }
  return (
    <>
      <div
        className="scroll"
        tabIndex={0}
        role="region"
        aria-label={namesTraces ? 'Public links of the project' : 'Public links of the trace'}
      >
        <table>
          <thead>
            <tr>
              {namesTraces && <th scope="col">Trace</th>}
              <th scope="col">Created by</th>
              <th scope="col">Created</th>
              <th scope="col">Until</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <tr key={link.id}>
                {namesTraces && (
                  <td>
                    <TraceLink traceId={link.trace_id} />
                  </td>
                )}
                <td>{link.created_by}</td>
                <td>
                  <Time value={link.created_at} />
                </td>
                <td>
                  <Time value={link.expires_at} />
                </td>
                <td>
                  <button
                    type="button"
                    aria-label={`Revoke the link that ${link.created_by} created at ${link.created_at}`}
                    disabled={revoke.isPending}
                    onClick={() => ask(link)}
                  >
                    Revoke
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Failure error={revoke.error} />
    </>
  )
}

/** Its calls, since a page of a trace is found by one of them. */
function TraceLink({ traceId }: { traceId: string }) {
  const { entity, project } = useProject()
  return (
    <Link
      to="/$entity/$project/calls"
      params={{ entity, project }}
      search={{ level: 'all', where: [{ path: 'trace_id', operator: '=', value: traceId }] }}
    >
      {traceId}
    </Link>
  )
}
