import { type AuditEntry, isApiError } from '@heddle/core-api'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { LongText } from '../../components/long-text.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'

const entriesOfPage = 20

const auditLogQuery = (project_id: string) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', project_id],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam: after }) => client.auditLog.query({ project_id, after, limit: entriesOfPage }, { signal }),
    getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
  })

/** Who changed keys, public links, webhooks, prices, retention, limits and aliases of the project, and deleted what: for its administrators. */
export function AuditLog() {
  const { id } = useProject()
  const query = useInfiniteQuery(auditLogQuery(id))
  const entries = useMemo(() => query.data?.pages.flatMap((page) => page.entries), [query.data])
  const isForbidden = isApiError(query.error) && query.error.status === 403
  return (
    <section aria-labelledby="audit-log">
      <h2 id="audit-log">Audit log</h2>
      {isForbidden ? (
        <p>Only keys with the role admin in this project may see who changed what.</p>
      ) : (
        <>
          <p className="muted">
            Changes of keys, public links, webhooks, prices, retention, limits and aliases, and deletions, the newest first. The newest
            10,000 are kept. What the training service and commands on the machine of the server do is not in it.
          </p>
          <ShowQuery query={{ ...query, data: entries }} what="the audit log">
            {(all) => (all.length === 0 ? <p>Nothing was changed or deleted yet.</p> : <Entries entries={all} />)}
          </ShowQuery>
          <MoreButton query={query}>Older changes</MoreButton>{' '}
          <button type="button" disabled={query.isFetching} onClick={() => void query.refetch()}>
            Refresh the audit log
          </button>
        </>
      )}
    </section>
  )
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Audit log">
      <table className="whole-words">
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">User</th>
            <th scope="col">Operation</th>
            <th scope="col">Request</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, created_at, user_id, key_id, operation, details, outcome }) => (
            <tr key={id}>
              <td>
                <Time value={created_at} />
              </td>
              <td title={`key ${key_id}`}>{user_id}</td>
              <td>{operation}</td>
              <td>
                <LongText text={details} label={`Request of ${operation}, ${created_at}`} />
              </td>
              <td>{outcome === 'started' ? 'started, end not noted' : outcome}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
