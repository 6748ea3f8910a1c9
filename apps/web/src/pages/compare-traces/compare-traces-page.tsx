import { displayNameOf } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Equal } from 'lucide-react'
import { useMemo } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { CostMark, withSource } from '../../features/costs/cost-source.tsx'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Time } from '../../ui/time/time.tsx'
import { alignTraces } from './align-traces.ts'
import { ChooseOther } from './choose-other.tsx'
import { changeText, type ComparedPair, costSourceOf, deltaText, differencesOf, pairId } from './compared-call.ts'
import { comparedTraceQuery, maxComparedCalls } from './compared-queries.ts'
import { idsOf } from './compared-search.ts'
import { PairDetail } from './pair-detail.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TextButton } from '../../ui/text-button.tsx'

const route = getRouteApi('/$entity/$project/calls/compare')

/** Two traces next to each other, aligned by op and position. */
export function CompareTracesPage() {
  const [a, b] = idsOf(route.useSearch())
  return (
    <>
      <PageHead
        trail={[
          <Link key="calls" to="/$entity/$project/calls" params={useProject()}>
            Traces
          </Link>,
        ]}
        title="Compare traces"
      />
      {a === undefined || b === undefined ? <ChooseOther id={a} /> : <Comparison a={a} b={b} />}
    </>
  )
}

function Comparison({ a, b }: { a: string; b: string }) {
  const { id: project } = useProject()
  const [one, other] = [useQuery(comparedTraceQuery(project, a)), useQuery(comparedTraceQuery(project, b))]
  return (
    <ShowQuery query={one} what="trace A">
      {(traceA) => (
        <ShowQuery query={other} what="trace B">
          {(traceB) =>
            traceA && traceB ? (
              <Aligned a={traceA} b={traceB} />
            ) : (
              <Notice tone="error" title={`Call ${traceA ? b : a} was not found`}>
                It may have been deleted.
              </Notice>
            )
          }
        </ShowQuery>
      )}
    </ShowQuery>
  )
}

type Trace = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof comparedTraceQuery>['queryFn']>>>>

function Aligned({ a, b }: { a: Trace; b: Trace }) {
  const { rows, pair } = route.useSearch()
  const navigate = route.useNavigate()
  const pairs = useMemo(() => alignTraces(a.calls, b.calls), [a, b])
  const changed = useMemo(() => pairs.filter((one) => differencesOf(one).length > 0), [pairs])
  const shown = rows === 'changed' ? changed : pairs
  const chosen = pair === undefined ? undefined : pairs.find((one) => pairId(one) === pair)
  const columns = useMemo(
    () => columnsOf((next) => void navigate({ search: (before) => ({ ...before, pair: next }), replace: true })),
    [navigate],
  )
  const count = (kind: string) => changed.filter((one) => differencesOf(one)[0] === kind).length
  const [onlyA, onlyB] = [count('only in A'), count('only in B')]
  const summary = [
    countText(pairs.length, 'row'),
    `${onlyA.toLocaleString('en')} only in A`,
    `${onlyB.toLocaleString('en')} only in B`,
    `${(changed.length - onlyA - onlyB).toLocaleString('en')} changed`,
  ].join(' · ')
  return (
    <div className="flex flex-col gap-4">
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TraceFacts name="A" trace={a} />
        <TraceFacts name="B" trace={b} />
      </div>
      {(a.hasMore || b.hasMore) && (
        <Notice tone="warning" title={`Only the first ${maxComparedCalls.toLocaleString('en')} calls of each trace are compared`} />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <span className="num text-fg-2">{summary}</span>
        <span className="grow" />
        <Button
          aria-pressed={rows === 'changed'}
          onClick={() => void navigate({ search: (before) => ({ ...before, rows: rows === 'changed' ? undefined : 'changed' }) })}
        >
          Differences only
        </Button>
      </div>
      <div className="flex flex-col overflow-hidden rounded-lg border border-line" style={{ height: heightOf(shown.length) }}>
        <DataTable
          label="Calls of both traces"
          rows={shown}
          columns={columns}
          rowId={pairId}
          rowHeight={rowHeight}
          empty={<EmptyState icon={Equal} title="No differences" />}
        />
      </div>
      {chosen && <PairDetail pair={chosen} />}
    </div>
  )
}

const rowHeight = 32
/** As high as its rows, up to what leaves room for a pair below it. */
const heightOf = (rows: number) => (rows === 0 ? 200 : Math.min(rows, 14) * rowHeight + 48)

function TraceFacts({ name, trace: { first, calls } }: { name: string; trace: Trace }) {
  const { entity, project } = useProject()
  return (
    <section aria-label={`Trace ${name}`} className="flex min-w-0 items-center gap-3 rounded-lg border border-line px-4 py-3">
      <Badge>{name}</Badge>
      <div className="min-w-0">
        <Link
          to="/$entity/$project/calls/$call"
          params={{ entity, project, call: first.id }}
          className="block truncate font-medium text-accent-text hover:underline"
        >
          {readableName(displayNameOf(first))}
        </Link>
        <p className="num text-xs text-fg-3">
          <Time value={first.started_at} /> · {countText(calls.length, 'span')}
        </p>
      </div>
    </section>
  )
}

/** The name of a pair, or both where it has two. */
function namesOf({ a, b }: ComparedPair): string {
  const names = [a?.name, b?.name].filter((name) => name !== undefined).map(readableName)
  return [...new Set(names)].join(' → ')
}

const indentPx = 12
const maxIndents = 12

interface ComparedNumber {
  title: string
  of: 'latencyMs' | 'tokens' | 'cost'
  format: (value: number) => string
  /** Pixels that usual values and the title take. */
  width: number
  deltaWidth: number
}

function markedCost(pair: ComparedPair) {
  return (
    <>
      {changeText(pair.a?.cost, pair.b?.cost, formatCost)}
      <CostMark source={costSourceOf(pair)} />
    </>
  )
}

function columnsOf(onChoose: (pair: string) => void): Column<ComparedPair>[] {
  const numberOf = ({ title, of, format, width, deltaWidth }: ComparedNumber): Column<ComparedPair>[] => {
    const both = ({ a, b }: ComparedPair) => changeText(a?.[of], b?.[of], format)
    return [
      {
        id: of,
        title: `${title} A → B`,
        width: `${width}px`,
        align: 'right',
        ...(of === 'cost' ? { hint: (pair) => withSource(both(pair), costSourceOf(pair)), cell: markedCost } : { hint: both, cell: both }),
      },
      {
        id: `${of}-change`,
        title: `Δ ${title}`,
        width: `${deltaWidth}px`,
        align: 'right',
        cell: ({ a, b }) => deltaText(a?.[of], b?.[of], format),
      },
    ]
  }
  return [
    {
      id: 'call',
      title: 'Call',
      width: 'minmax(192px, 2fr)',
      hint: namesOf,
      cell: (pair) => (
        <span className="block truncate" style={{ paddingLeft: Math.min(pair.depth, maxIndents) * indentPx }}>
          <TextButton onClick={() => onChoose(pairId(pair))}>{namesOf(pair)}</TextButton>
        </span>
      ),
    },
    {
      id: 'differs',
      title: 'Differs in',
      width: 'minmax(80px, 1fr)',
      hint: (pair) => differencesOf(pair).join(', '),
      cell: (pair) => differencesOf(pair).join(', '),
    },
    ...numberOf({ title: 'Time', of: 'latencyMs', format: formatDuration, width: 128, deltaWidth: 88 }),
    ...numberOf({ title: 'Tokens', of: 'tokens', format: (value) => value.toLocaleString('en'), width: 112, deltaWidth: 84 }),
    ...numberOf({ title: 'Cost', of: 'cost', format: formatCost, width: 168, deltaWidth: 104 }),
  ]
}
