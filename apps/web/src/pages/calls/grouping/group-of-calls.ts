import { dayText } from '../../../lib/time/time-text.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { kinds } from '../../../ui/badge.tsx'
import type { CallRow } from '../../../features/calls/call-row.ts'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import { signOfKind } from '../../../features/calls/kind-of-call.ts'
import { signOfStatus } from '../../../features/calls/status-sign.ts'

/** Fields to group rows by, in addition to the fields that are shown as columns. */
const fields = {
  name: { label: 'Name', valueOf: ({ name }: CallRow) => readableName(name) },
  kind: { label: 'Kind', valueOf: ({ kind }: CallRow) => kinds[signOfKind(kind)].text },
  status: { label: 'Status', valueOf: ({ status }: CallRow) => signOfStatus(status).label },
  day: { label: 'Day', valueOf: ({ startedAt }: CallRow, timeZone: string) => dayText(startedAt, timeZone) },
  tag: { label: 'Tags', valueOf: ({ tags }: CallRow) => tags.map(({ tag }) => tag).join(', ') },
  trace: { label: 'Trace', valueOf: ({ traceId }: CallRow) => traceId },
} as const

/** What says how the rows of an address are grouped, and what it is called. Undefined where they are not, or by what no row shows. */
export function groupOfCalls(
  { group, columns = [] }: Pick<CallsSearch, 'group' | 'columns'>,
  timeZone: string,
): { label: string; valueOf: (row: CallRow) => string } | undefined {
  if (group === undefined) return undefined
  if (Object.hasOwn(fields, group)) {
    const { label, valueOf } = fields[group as keyof typeof fields]
    return { label, valueOf: (row) => valueOf(row, timeZone) }
  }
  const at = columns.indexOf(group)
  return at < 0 ? undefined : { label: group, valueOf: ({ further }) => further[at] ?? '' }
}

/** What is offered to group by: each trace is one row of a list of traces. */
export const groupsOffered = ({ level, columns = [] }: Pick<CallsSearch, 'level' | 'columns'>): { value: string; label: string }[] => [
  ...Object.entries(fields).flatMap(([value, { label }]) => (value === 'trace' && level !== 'all' ? [] : [{ value, label }])),
  ...columns.map((path) => ({ value: path, label: path })),
]
