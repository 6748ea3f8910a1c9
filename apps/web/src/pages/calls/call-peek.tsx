import { displayNameOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ChevronDown, ChevronUp, Filter, Maximize2 } from 'lucide-react'
import { useProject } from '../../lib/use-project.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { TimeInColumn } from '../../ui/time/time.tsx'
import { callQuery } from '../../features/calls/call-query.ts'
import { type CallRow, isNothing } from '../../features/calls/call-row.ts'
import { keyOfScore, ScoreMark } from '../../features/calls/score-mark.tsx'
import { signOfStatus } from '../../features/calls/status-sign.ts'
import { usageOfCall } from '../../features/calls/model-usage.ts'
import { type CallsBelow, TagsOfCall } from '../../features/trace/call-pane.tsx'
import { callsBelow } from '../../features/trace/conversation-below.tsx'
import { traceQuery } from '../../features/trace/trace-queries.ts'
import { useTrace } from '../../features/trace/use-trace.ts'
import { traceUsageQuery } from '../../features/trace/usage/usage-query.ts'
import { conversationQuery } from '../../features/trace/views/conversation-query.ts'
import { StatusText } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Facts } from '../../ui/card.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { CallMenu } from '../../features/trace/actions/call-menu.tsx'
import { CallDetails } from '../../features/trace/call-details.tsx'
import type { CallsSearch } from '../../features/calls/calls-search.ts'
import { groupRows } from '../../ui/table/group-rows.ts'
import { groupOfCalls } from './grouping/group-of-calls.ts'
import { rowScoresQuery } from './row-scores.ts'

interface Properties {
  id: string
  /** The loaded calls of the list. */
  rows: readonly CallRow[] | undefined
  search: CallsSearch
  /** The list that the call is in. */
  list: CallsSearch
  onFields: () => void
  change: (part: CallsSearch, replace?: boolean) => void
}

const noRows: readonly CallRow[] = []

/** The row of a call, undefined where it is not read, with the ids before and after it as the list shows them. */
function usePlace(id: string, rows: readonly CallRow[], { group, columns }: CallsSearch) {
  const timeZone = useTimeZone()
  return useMemo(() => {
    const valueOf = groupOfCalls({ group, columns }, timeZone)?.valueOf
    const shown = valueOf ? groupRows(rows, valueOf).flatMap((one) => one.rows) : rows
    const at = shown.findIndex((row) => row.id === id)
    return { row: shown[at], before: shown[at - 1]?.id, after: at < 0 ? undefined : shown[at + 1]?.id }
  }, [id, rows, group, columns, timeZone])
}

/** A call next to the list. */
export function CallPeek({ id, rows = noRows, search, list, onFields, change }: Properties) {
  const { id: projectId, entity, project } = useProject()
  const navigate = useNavigate()
  const { data: call } = useQuery(callQuery(projectId, id))
  const open = (selected?: string) =>
    void navigate({ to: '/$entity/$project/calls/$call', params: { entity, project, call: id }, search: { list, selected } })
  const { row, before, after } = usePlace(id, rows, search)
  const below = useBelow(call, (next) => open(next))
  const step = (to: string | undefined) => to !== undefined && change({ peek: to }, true)
  return (
    <Drawer
      open
      onClose={() => change({ peek: undefined, tab: undefined }, true)}
      title={row ? readableName(row.name) : call ? readableName(displayNameOf(call)) : 'Trace'}
      actions={
        <>
          <IconButton label="Previous" keys="up" icon={ChevronUp} disabled={before === undefined} onClick={() => step(before)} />
          <IconButton label="Next" keys="down" icon={ChevronDown} disabled={after === undefined} onClick={() => step(after)} />
          <IconButton label="Filter by its values" icon={Filter} keys="f" onClick={onFields} />
          {call && <CallMenu call={call} />}
          <Button icon={Maximize2} variant="primary" onClick={() => open()}>
            Open
          </Button>
        </>
      }
    >
      <div className="flex h-full min-h-0 flex-col">
        <CallDetails
          key={id}
          id={id}
          tab={search.tab}
          below={below}
          onTab={(next) => change({ tab: next }, true)}
          head={(own) => <PeekFacts row={{ ...own, ...shared(row) }} models={call ? usageOfCall(call).map(({ model }) => model) : []} />}
        />
      </div>
    </Drawer>
  )
}

/** The calls below a call without its own values, as roots of traces often are. Not read for other calls. */
function useBelow(call: Call | null | undefined, onSelect: (id: string) => void): CallsBelow | undefined {
  const { id: project } = useProject()
  const isEmpty = call ? isNothing(call.inputs) && isNothing(call.output) : false
  const id = call?.id ?? ''
  const trace = useQuery({ ...traceQuery(project, id), enabled: isEmpty })
  const usage = useQuery(traceUsageQuery(project, call?.trace_id, isEmpty ? (trace.data?.calls.length ?? 0) : 0))
  const parts = useTrace(trace.data, usage.data, id)
  return isEmpty ? callsBelow(parts, { queryMessages: (ids) => conversationQuery(project, ids), onSelect }) : undefined
}

/** Data of the list for a row that represents its trace. */
const shared = (row: CallRow | undefined) =>
  row && { status: row.status, tokens: row.tokens, cost: row.cost, tags: row.tags, latencyMs: row.latencyMs }

/** Totals of the trace, above its data. */
function PeekFacts({ row, models }: { row: CallRow; models: readonly string[] }) {
  const { id: project } = useProject()
  const scores = useQuery(rowScoresQuery(project, [row.id])).data?.get(row.id) ?? []
  const sign = signOfStatus(row.status)
  const usage = [row.tokens === null ? undefined : row.tokens.toLocaleString('en'), row.cost === null ? undefined : formatCost(row.cost)]
  const known = usage.filter((one) => one !== undefined)
  return (
    <div className="shrink-0 p-4">
      <Facts
        rows={Object.entries({
          Status: <StatusText status={sign.status}>{sign.label}</StatusText>,
          Started: <TimeInColumn value={row.startedAt} />,
          Latency: <span className="num">{row.latencyMs === null ? 'Running' : formatDuration(row.latencyMs)}</span>,
          Model: models.length > 0 && <span className="mono">{[...new Set(models)].join(', ')}</span>,
          Tokens: <span className="num">{known.length === 0 ? '–' : known.join(' · ')}</span>,
          Scores: scores.length > 0 && (
            <span className="flex flex-wrap gap-1">
              {scores.slice(0, 6).map((score) => (
                <ScoreMark key={keyOfScore(score)} score={score} />
              ))}
            </span>
          ),
          Tags: row.tags.length > 0 && (
            <span className="flex flex-wrap gap-1">
              <TagsOfCall tags={row.tags} />
            </span>
          ),
        })}
      />
    </div>
  )
}
