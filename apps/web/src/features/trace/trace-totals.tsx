import type { TreeNode } from '@heddle/trace-model'
import { Clock, Coins, Hash, ListTree, type LucideIcon } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { costSourceText, sumKnown } from '@heddle/trace-model'
import { formatDuration } from '../../lib/time/duration.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import type { RowScore } from '../calls/row-score.ts'
import { keyOfScore, ScoreMark } from '../calls/score-mark.tsx'
import { latencyOfTrace } from './timeline/time-span.ts'
import type { TraceCall } from './trace-queries.ts'
import type { TotalUsage } from './usage/usage-of-trace.ts'

interface Properties {
  calls: readonly TraceCall[] | undefined
  hasMore: boolean
  roots: readonly TreeNode<TraceCall>[]
  totals: ReadonlyMap<string, TotalUsage> | undefined
  /** False if the costs of tokens are unknown. */
  hasCosts?: boolean
  /** Scores of the root. */
  scores?: readonly RowScore[] | undefined
  /** At the right: who and when. */
  children?: ReactNode
}

const shownScores = 4

/** Totals of a trace, on one line. */
export function TraceTotals({ calls, hasMore, roots, totals, hasCosts = true, scores = [], children }: Properties) {
  const latency = useMemo(() => calls && latencyOfTrace(calls, roots), [calls, roots])
  const total = useMemo(() => addTotals(roots, totals), [roots, totals])
  return (
    <div
      role="region"
      aria-label="Trace totals"
      tabIndex={0}
      className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-6 gap-y-1 border-b border-line px-4 py-1.5 -outline-offset-2"
    >
      <dl className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <Total
          icon={Clock}
          name="Latency"
          value={latency === undefined ? undefined : latency === null ? 'Running' : formatDuration(latency)}
        />
        <Total icon={Hash} name="Tokens" value={total && (total.tokens?.toLocaleString('en') ?? '–')} />
        {hasCosts && <Total icon={Coins} name="Cost" value={total && costOf(total)} tip={total && tipOf(total)} />}
        <Total icon={ListTree} name="Spans" value={calls && `${calls.length.toLocaleString('en')}${hasMore ? '+' : ''}`} />
      </dl>
      {scores.length > 0 && (
        <div role="group" aria-label="Scores" className="flex items-center gap-1">
          {scores.slice(0, shownScores).map((score) => (
            <ScoreMark key={keyOfScore(score)} score={score} />
          ))}
          {scores.length > shownScores && <span className="text-xs text-fg-3">+{scores.length - shownScores}</span>}
        </div>
      )}
      {children && <div className="flex flex-wrap lg:ml-auto items-center gap-x-4 text-xs whitespace-nowrap text-fg-3">{children}</div>}
    </div>
  )
}

interface TotalProperties {
  icon: LucideIcon
  name: string
  /** Undefined until it is known. */
  value: string | undefined
  tip?: string | undefined
}

function Total({ icon: Icon, name, value = '–', tip }: TotalProperties) {
  return (
    <div className="flex items-center gap-1.5 whitespace-nowrap" data-tip={tip}>
      <Icon size={14} strokeWidth={1.75} aria-hidden className="text-fg-3" />
      <dt className="text-fg-3">{name}</dt>
      <dd className="num font-medium">{value}</dd>
    </div>
  )
}

type Sum = Omit<TotalUsage, 'pricedAs'> & { pricedAs: readonly string[] }

function addTotals(roots: readonly TreeNode<TraceCall>[], totals: ReadonlyMap<string, TotalUsage> | undefined): Sum | undefined {
  if (totals === undefined) return undefined
  const found = roots.flatMap(({ call }) => totals.get(call.id) ?? [])
  return {
    tokens: sumKnown(found.map(({ tokens }) => tokens)),
    cost: sumKnown(found.map(({ cost }) => cost)),
    unpriced: found.reduce((sum, { unpriced }) => sum + unpriced, 0),
    reported: found.reduce((sum, { reported }) => sum + reported, 0),
    pricedAs: [...new Set(found.flatMap(({ pricedAs }) => pricedAs))],
  }
}

function costOf({ tokens, cost, unpriced }: Sum): string {
  if (tokens === null && cost === null) return '–'
  return cost === null ? 'No price' : `${formatCost(cost)}${unpriced > 0 ? '+' : ''}`
}

const tipOf = (sum: Sum) =>
  [sum.cost !== null && sum.unpriced > 0 ? `${sum.unpriced} uses without a price are left out` : undefined, costSourceText(sum)]
    .filter((text) => text !== undefined)
    .join('; ') || undefined
