import { displayNameOf } from '@heddle/core-api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { formatDuration } from '../../components/duration.ts'
import { formatCost } from '../../components/format-cost.ts'
import { readableName } from '../../components/readable-name.ts'
import { type GridColumn, RowsGrid } from '../../components/rows-grid.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { Time } from '../../components/time.tsx'
import { alignTraces } from './align-traces.ts'
import { ChooseOther } from './choose-other.tsx'
import { changeText, type ComparedPair, deltaText, differencesOf, pairId } from './compared-call.ts'
import { comparedTraceQuery, maxComparedCalls } from './compared-queries.ts'
import { idsOf } from './compared-search.ts'
import { PairDetail } from './pair-detail.tsx'

const route = getRouteApi('/$entity/$project/calls/compare')

/** Two traces beside each other, aligned by op and position. */
export function CompareTracesPage() {
  const [a, b] = idsOf(route.useSearch())
  return (
    <>
      <h1>Compare traces</h1>
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
              <p className="problem">{`Call ${traceA ? b : a} was not found. It may have been deleted.`}</p>
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
  return (
    <>
      <dl className="metrics">
        {(['A', 'B'] as const).map((name) => (
          <TraceFacts key={name} name={name} trace={name === 'A' ? a : b} />
        ))}
      </dl>
      {(a.hasMore || b.hasMore) && (
        <p className="notice">{`The first ${maxComparedCalls.toLocaleString('en')} calls of each trace are compared; there are more.`}</p>
      )}
      <div className="row">
        <span>
          {`Rows: ${pairs.length.toLocaleString('en')}; only in A: ${onlyA.toLocaleString('en')}; only in B: ${onlyB.toLocaleString('en')}; changed: ${(changed.length - onlyA - onlyB).toLocaleString('en')}`}
        </span>
        <button
          type="button"
          aria-pressed={rows === 'changed'}
          onClick={() => void navigate({ search: (before) => ({ ...before, rows: rows === 'changed' ? undefined : 'changed' }) })}
        >
          Differences only
        </button>
      </div>
      {shown.length === 0 ? (
        <p className="muted">The traces do not differ in their calls, inputs, outputs and states.</p>
      ) : (
        <RowsGrid label="Calls of both traces" rows={shown} columns={columns} keyOf={pairId} />
      )}
      {chosen && <PairDetail pair={chosen} />}
    </>
  )
}

function TraceFacts({ name, trace: { first, calls } }: { name: string; trace: Trace }) {
  const { entity, project } = useProject()
  return (
    <div>
      <dt>{`Trace ${name}`}</dt>
      <dd>
        <Link to="/$entity/$project/calls/$call" params={{ entity, project, call: first.id }}>
          {readableName(displayNameOf(first))}
        </Link>
      </dd>
      <dd className="muted">
        <Time value={first.started_at} />, calls: {calls.length.toLocaleString('en')}
      </dd>
    </div>
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
  /** Width that usual values and the title take. */
  rem: number
  deltaRem: number
}

function columnsOf(onChoose: (pair: string) => void): GridColumn<ComparedPair>[] {
  const numberOf = ({ title, of, format, rem, deltaRem }: ComparedNumber): GridColumn<ComparedPair>[] => {
    const both = ({ a, b }: ComparedPair) => changeText(a?.[of], b?.[of], format)
    return [
      { title: `${title} A → B`, rem, isNumber: true, hint: both, cell: both },
      { title: `Δ ${title}`, rem: deltaRem, isNumber: true, cell: ({ a, b }) => deltaText(a?.[of], b?.[of], format) },
    ]
  }
  return [
    {
      title: 'Call',
      rem: 14,
      grow: 2,
      hint: namesOf,
      cell: (pair) => (
        <span className="pair-name" style={{ paddingLeft: Math.min(pair.depth, maxIndents) * indentPx }}>
          <button type="button" className="as-link" onClick={() => onChoose(pairId(pair))}>
            {namesOf(pair)}
          </button>
        </span>
      ),
    },
    {
      title: 'Differs in',
      rem: 8.5,
      grow: 1,
      hint: (pair) => differencesOf(pair).join(', '),
      cell: (pair) => differencesOf(pair).join(', '),
    },
    ...numberOf({ title: 'Time', of: 'latencyMs', format: formatDuration, rem: 9.5, deltaRem: 6.5 }),
    ...numberOf({ title: 'Tokens', of: 'tokens', format: (value) => value.toLocaleString('en'), rem: 8.5, deltaRem: 6 }),
    ...numberOf({ title: 'Cost', of: 'cost', format: formatCost, rem: 13.5, deltaRem: 8.5 }),
  ]
}
