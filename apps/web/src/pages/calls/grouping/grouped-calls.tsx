import { percentile } from '@heddle/evaluations'
import { useMemo } from 'react'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { formatDuration } from '../../../lib/time/duration.ts'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import type { CallRow } from '../../../features/calls/call-row.ts'
import type { CallsSearch } from '../../../features/calls/calls-search.ts'
import { totalsOfRows } from '../../../features/calls/totals/totals-of-rows.ts'
import { CallsTable, type CallsTableProperties } from '../calls-table.tsx'
import { groupOfCalls } from './group-of-calls.ts'

/** Folded groups leave room for further rows; after so many they are read only on request. */
const maxReadAhead = 1_000

/** The rows that are loaded, under heads by what the address says. */
export function GroupedCalls({ search, ...table }: CallsTableProperties & { search: CallsSearch }) {
  const timeZone = useTimeZone()
  const { group: by, columns, level } = search
  const { rows: listed } = table
  const group = useMemo(() => {
    const found = groupOfCalls({ group: by, columns }, timeZone)
    return found && { ...found, totals: (rows: readonly CallRow[]) => totalsOf(rows, level, listed).join(' · ') }
  }, [by, columns, level, timeZone, listed])
  const mayRead = (table.rows?.length ?? 0) < maxReadAhead
  return <CallsTable {...table} group={group} onEnd={() => mayRead && table.onEnd()} />
}

function totalsOf(rows: readonly CallRow[], level: CallsSearch['level'], listed: readonly CallRow[] = rows): string[] {
  const failed = rows.filter(({ status }) => status === 'error').length
  const latencies = rows.flatMap(({ latencyMs }) => latencyMs ?? [])
  const { cost } = totalsOfRows(rows, level, listed)
  return [
    ...(failed === 0 ? [] : [`${failed.toLocaleString('en')} failed`]),
    ...(latencies.length === 0 ? [] : [`p50 ${formatDuration(percentile(latencies, 0.5))}`]),
    ...(cost === null ? [] : [formatCost(cost)]),
  ]
}
