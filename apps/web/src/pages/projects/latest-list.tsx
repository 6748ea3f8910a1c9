import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { type Status, StatusIcon } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'

interface LatestRow {
  id: string
  link: LinkProps
  status: string
  name: string
  detail: string | null
  /** Its result, before the time. */
  result?: ReactNode
  time: string
}

interface LatestListProperties<T> {
  title: string
  /** Name of the records, after "View all" and in messages. */
  what: string
  none: string
  all: LinkProps
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  rowsOf: (data: T) => readonly LatestRow[]
}

const icons: Readonly<Record<string, Status>> = {
  succeeded: 'ok',
  completed: 'ok',
  failed: 'error',
  running: 'running',
  queued: 'queued',
  cancelled: 'cancelled',
}

/** The newest records of one kind on the home of a project, each with its status and a link. */
export function LatestList<T>({ title, what, none, all, query, rowsOf }: LatestListProperties<T>) {
  return (
    <Card title={title} actions={<AllLink what={what} link={all} />} flush>
      <div className="border-t border-line">
        <ShowQuery query={query} what={what} pending={<PendingBlock what={what} className="m-4 h-48" />}>
          {(data) => <Rows rows={rowsOf(data)} none={none} />}
        </ShowQuery>
      </div>
    </Card>
  )
}

function Rows({ rows, none }: { rows: readonly LatestRow[]; none: string }) {
  if (rows.length === 0) return <p className="px-4 py-3 text-fg-3">{none}</p>
  return (
    <ul className="flex flex-col">
      {rows.map(({ id, link, status, name, detail, result, time }) => (
        <li key={id} className="border-t border-line first:border-t-0">
          <Link {...link} className="flex h-10 items-center gap-2.5 px-4 -outline-offset-2 pressable">
            <StatusIcon status={icons[status] ?? 'queued'} label={status} />
            <span className="truncate font-medium">{name}</span>
            <span className="mono min-w-0 truncate text-fg-3">{detail}</span>
            <span className="grow" />
            {result !== undefined && <span className="num shrink-0 max-sm:[&_svg]:hidden">{result}</span>}
            <span className="w-24 shrink-0 text-right text-xs text-fg-3">
              <TimeInColumn value={time} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Leads from a card to all that it shows some of. */
export function AllLink({ what, link }: { what: string; link: LinkProps }) {
  return (
    <Link {...link} className="mr-2 inline-flex items-center gap-1 rounded-sm px-1 text-xs leading-6 text-fg-2 hover:text-fg">
      View all<span className="sr-only"> {what}</span>
      <ArrowRight size={12} aria-hidden />
    </Link>
  )
}
