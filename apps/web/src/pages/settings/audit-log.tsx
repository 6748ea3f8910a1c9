import type { AuditEntry } from '@heddle/core-api/types'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { SentenceCase } from '../../ui/texts/sentence-case.tsx'
import { Clamp } from '../../ui/clamp.tsx'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { type Status, StatusText } from '../../ui/badge.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { SettingsSection } from './settings-section.tsx'
import { textColumn } from '../../ui/table/column-kinds.tsx'

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
  return (
    <SettingsSection
      title="Audit log"
      text="The newest 10,000 changes of keys, links, webhooks, prices, retention, limits and aliases, and deletions. Training and commands on the server are not included."
      query={query}
      refreshes="the audit log"
      adminsMay="see who changed what"
    >
      <ShowQuery query={{ ...query, data: entries }} what="the audit log">
        {(all) => (
          <ListTable
            label="Audit log"
            framed
            empty="Nothing was changed or deleted yet."
            rows={all}
            rowId={({ id: entry }) => entry}
            columns={columns}
            minWidth={820}
          />
        )}
      </ShowQuery>
      <div>
        <MoreButton query={query}>Older changes</MoreButton>
      </div>
    </SettingsSection>
  )
}

const icons: Record<AuditEntry['outcome'], Status> = { started: 'warning', succeeded: 'ok', failed: 'error' }

const columns: ListColumn<AuditEntry>[] = [
  { id: 'time', title: 'Time', width: '172px', cell: ({ created_at }) => <Time value={created_at} /> },
  { id: 'user', title: 'User', width: '104px', cell: ({ user_id, key_id }) => <span data-tip={`key ${key_id}`}>{user_id}</span> },
  textColumn('operation', 'Operation', '192px', ({ operation }) => operation, { wraps: true }),
  {
    id: 'request',
    title: 'Request',
    wraps: true,
    cell: ({ details }) => (
      <Clamp lines={2}>
        <span className="mono text-fg-2">{details}</span>
      </Clamp>
    ),
  },
  {
    id: 'outcome',
    title: 'Outcome',
    width: '112px',
    wraps: true,
    cell: ({ outcome }) => (
      <StatusText status={icons[outcome]}>
        <SentenceCase text={outcome === 'started' ? 'end not noted' : outcome} />
      </StatusText>
    ),
  },
]
