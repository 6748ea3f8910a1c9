import type { SharedTrace } from '@heddle/core-api/types'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ban } from 'lucide-react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { MoreButton } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { linksQuery, readLinksAgain } from './links-query.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { useConfirm } from '../../ui/confirm/confirm.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { RowMenu } from '../../ui/row-menu.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { textColumn } from '../../ui/table/column-kinds.tsx'

interface Properties {
  /** The trace whose links are listed; null for those of all traces of the project. */
  traceId: string | null
  /** Shown if there are none. */
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
        {(all) => <LinksTable links={all} none={none} namesTraces={traceId === null} />}
      </ShowQuery>
      <MoreButton query={query}>Older links</MoreButton>
    </>
  )
}

function LinksTable({ links, none, namesTraces }: { links: readonly SharedTrace[]; none: string; namesTraces: boolean }) {
  const { id: project_id } = useProject()
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: ({ id }: SharedTrace) => client.sharedTraces.delete({ project_id, id }),
    onSettled: () => readLinksAgain(queries, project_id),
  })
  const confirm = useConfirm()
  async function ask(link: SharedTrace) {
    const text = 'Revoke this link? Whoever has it sees nothing from then on.'
    if (await confirm({ text, confirm: 'Revoke' })) revoke.mutate(link)
  }
  const columns: ListColumn<SharedTrace>[] = [
    ...(namesTraces ? [{ id: 'trace', title: 'Trace', cell: ({ trace_id }: SharedTrace) => <TraceLink traceId={trace_id} /> }] : []),
    textColumn('by', 'Created by', 'auto', ({ created_by }) => created_by),
    { id: 'created', title: 'Created', width: '168px', cell: ({ created_at }) => <Time value={created_at} /> },
    { id: 'until', title: 'Until', width: '168px', cell: ({ expires_at }) => <Time value={expires_at} /> },
  ]
  return (
    <>
      <ListTable
        label={namesTraces ? 'Public links of the project' : 'Public links of the trace'}
        rows={[...links]}
        columns={columns}
        rowId={({ id }) => id}
        framed
        empty={none}
        actions={(link) => (
          <RowMenu of={`the link that ${readableName(link.created_by)} created at ${link.created_at}`} disabled={revoke.isPending}>
            <MenuItem danger icon={Ban} onClick={() => void ask(link)}>
              Revoke…
            </MenuItem>
          </RowMenu>
        )}
        minWidth={namesTraces ? 720 : 520}
      />
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
      data-tip={traceId}
      className="mono text-accent-text hover:underline"
    >
      {traceId.slice(-8)}
    </Link>
  )
}
