import type { UsageTotal } from '@heddle/core-api/types'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { CostMark, withSource } from '../../features/costs/cost-source.tsx'
import type { CostSource } from '@heddle/trace-model'
import { costText, formatCost } from '../../lib/texts/format-cost.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { compactCount } from '../../lib/texts/compact-count.ts'
import { changeOf } from '../../features/charts/change-of.ts'
import { Spark } from '../../plot/spark.tsx'
import { Delta } from '../../ui/badge.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { callsOfGroup, nameOfGroup, nameWithin } from '../../features/costs/calls-of-group.ts'
import { type Grouping, groupingTitles } from '../../features/costs/costs-search.ts'
import { NoValue } from '../../ui/no-value.tsx'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

interface Properties {
  groups: readonly UsageTotal[]
  by: Grouping
  /** When the range begins. */
  start: string
  /** The groups in the time before. */
  before: ReadonlyMap<string | null, UsageTotal> | undefined
  /** Colors of the groups that the chart draws, and the cost of each over time. */
  drawn: ReadonlyMap<string, { color: string; values: readonly number[] }>
}

/** Usage and cost of each group. Its name links to its calls. */
export function CostsTable({ groups, by, start, before, drawn }: Properties) {
  const { id, entity, project } = useProject()
  const most = Math.max(...groups.map(({ cost }) => cost ?? 0))
  const columns = useMemo((): ListColumn<UsageTotal>[] => {
    const name: ListColumn<UsageTotal> = {
      id: 'name',
      title: groupingTitles[by],
      cell: ({ key }) => (
        <Link
          to="/$entity/$project/calls"
          params={{ entity, project }}
          search={{ level: 'all', where: [...callsOfGroup(by, key), { path: 'started_at', operator: '>=', value: start }] }}
          data-tip={readableName(nameOfGroup(by, key))}
          className="flex items-center gap-2 hover:underline"
        >
          {by === 'model' && (
            <span aria-hidden className="size-2 shrink-0 rounded-xs" style={{ background: drawn.get(key ?? '')?.color ?? 'var(--s8)' }} />
          )}
          <span className="truncate font-medium" data-cut="">
            {nameWithin(id, nameOfGroup(by, key))}
          </span>
        </Link>
      ),
    }
    const trend: ListColumn<UsageTotal> = {
      id: 'trend',
      title: 'Trend',
      width: '104px',
      wide: true,
      cell: ({ key }) => <Trend name={nameOfGroup(by, key)} values={drawn.get(key ?? '')?.values} />,
    }
    return [
      name,
      ...(by === 'model' ? [trend] : []),
      numberColumn('uses', 'Calls', '72px', ({ uses }) => uses, { show: count }),
      numberColumn('tokens', 'Tokens', '76px', ({ total_tokens }) => total_tokens, { show: count }),
      numberColumn('input', 'Input', '76px', ({ input_tokens }) => input_tokens, { show: count }),
      { id: 'cached', title: 'Cached', width: '76px', align: 'right', cell: cached },
      numberColumn('output', 'Output', '76px', ({ output_tokens }) => output_tokens, { show: count }),
      { id: 'per', title: 'Per 1k calls', width: '104px', align: 'right', wide: true, cell: perThousand },
      {
        id: 'change',
        title: 'Change',
        width: '88px',
        align: 'right',
        wide: true,
        cell: ({ key, cost }) => {
          const change = changeOf(cost, before?.get(key)?.cost)
          return change && <Delta value={change.value} text={change.text} good="down" className="text-xs" />
        },
      },
      { id: 'cost', title: 'Cost', width: '192px', align: 'right', cell: (group) => <Cost group={group} most={most} /> },
    ]
  }, [by, entity, project, start, before, drawn, most])
  return <ListTable label={`Costs by ${by}`} edge={false} rows={groups} rowId={({ key }) => key ?? ''} minWidth={776} columns={columns} />
}

/** From here on, a count is written short, and whole in its tooltip. */
const longCount = 100_000

function count(value: number) {
  if (value < longCount) return value.toLocaleString('en')
  return <span data-tip={value.toLocaleString('en')}>{compactCount(value)}</span>
}

function cached({ input_tokens, cache_read_input_tokens }: UsageTotal) {
  if (input_tokens === 0) return undefined
  const share = `${Math.round((cache_read_input_tokens / input_tokens) * 100)}%`
  return (
    <span
      className="text-fg-2"
      data-tip={`${cache_read_input_tokens.toLocaleString('en')} of ${input_tokens.toLocaleString('en')} input tokens`}
    >
      {share}
    </span>
  )
}

function perThousand({ cost, uses, unpriced_uses }: UsageTotal) {
  const priced = uses - unpriced_uses
  return cost === null || priced === 0 ? undefined : formatCost((cost / priced) * 1_000)
}

function Trend({ name, values }: { name: string; values: readonly number[] | undefined }) {
  if (values === undefined || values.length < 3) return <NoValue />
  return <Spark values={values} width={80} height={22} color="var(--s8)" label={`Cost of ${readableName(name)} over time`} />
}

/** A cost with its share of the highest one, its source and its omissions. */
function Cost({ group, most }: { group: UsageTotal; most: number }) {
  const { cost, unpriced_uses, priced_as, reported_uses } = group
  const source: CostSource = { pricedAs: priced_as, reported: reported_uses }
  const text = withSource(costText(cost, unpriced_uses), source)
  if (cost === null) {
    return unpriced_uses === 0 ? (
      <NoValue />
    ) : (
      <span
        className="inline-flex items-center gap-1.5 text-amber-text"
        data-tip={`No price for ${unpriced_uses.toLocaleString('en')} calls`}
      >
        <TriangleAlert size={13} aria-hidden />
        No price
      </span>
    )
  }
  return (
    <span className="flex items-center justify-end gap-3" data-tip={text}>
      <span aria-hidden className="h-1.5 w-16 overflow-hidden rounded-full bg-active">
        <span className="block h-full rounded-full bg-s1" style={{ width: `${Math.max(1, most === 0 ? 0 : (cost / most) * 100)}%` }} />
      </span>
      <span className="min-w-16 font-medium">
        {formatCost(cost)}
        <CostMark source={source} />
        {unpriced_uses > 0 && <span className="sr-only">{`, without ${unpriced_uses.toLocaleString('en')} calls that have no price`}</span>}
      </span>
    </span>
  )
}
