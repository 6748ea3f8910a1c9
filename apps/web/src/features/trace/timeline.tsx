import { findNodes, listNodes, type TreeNode } from '@heddle/trace-model'
import { type KeyboardEvent, useCallback, useId, useMemo, useRef } from 'react'
import { sum } from '../../lib/sum.ts'
import { formatDuration } from '../../lib/time/duration.ts'
import { cx } from '../../lib/cx.ts'
import { useSize } from '../../lib/use-size.ts'
import { type Kind, KindIcon, kinds } from '../../ui/badge.tsx'
import { useRows } from '../../ui/table/use-rows.ts'
import { signOfKind } from '../calls/kind-of-call.ts'
import type { RowScore } from '../calls/row-score.ts'
import { rowHeight, SpanRow, type TimelineColumns } from './timeline/span-row.tsx'
import { timeSpanOf } from './timeline/time-span.ts'
import { timelineTicks } from './timeline/timeline-ticks.ts'
import type { TraceCall } from './trace-queries.ts'
import type { TotalUsage } from './usage/usage-of-trace.ts'

const headHeight = 28
/** Pixels of the columns; of the timeline and its edges the least. */
const [leastName, timeWidth, tokensWidth, costWidth, leastTrack, trackEdges] = [284, 64, 60, 76, 88, 28]
/** Costs have a column where this much is left for the timeline. */
const trackBesideCosts = 200
/** Narrower ones have fewer columns, and less in them. */
const [leastForUsage, leastForScores] = [540, 580]
/** Pixels of an indent, and of a row without one whose name can be read between its depth, the sign of a failure and a mark. */
const [indent, readableRow] = [16, 220]
const trackShare = 0.36
const pixelsOfTick = 46
const noScores: readonly RowScore[] = []

interface Properties {
  calls: readonly TraceCall[]
  /** The same calls as trees. */
  roots: readonly TreeNode<TraceCall>[]
  selected: string
  onSelect: (id: string) => void
  /** Scores of calls, by their ids. */
  marks?: ReadonlyMap<string, readonly RowScore[]> | undefined
  /** What calls used with those below them, by their ids. */
  totals?: ReadonlyMap<string, TotalUsage> | undefined
  /** False if the costs of tokens are unknown. */
  hasCosts?: boolean
  /** Ids of the calls that used a model themselves. */
  modelCalls?: ReadonlySet<string> | undefined
  /** A part of the names of the calls that are shown; all without one. */
  find: string
  collapsed: ReadonlySet<string>
  onToggle: (id: string) => void
}

/** The nodes that the timeline shows: expanded ones, or matches of the search with their ancestors. */
export function shownNodes(roots: readonly TreeNode<TraceCall>[], { find, collapsed }: Pick<Properties, 'find' | 'collapsed'>) {
  const words = find.toLowerCase()
  return find === '' ? listNodes(roots, collapsed) : findNodes(roots, ({ name }) => name.toLowerCase().includes(words))
}

/** The calls of a trace as a tree, each with its time on the same row. */
export function Timeline({ calls, roots, selected, onSelect, marks, totals, hasCosts = true, modelCalls, ...tree }: Properties) {
  const { find, collapsed, onToggle } = tree
  const scroll = useRef<HTMLDivElement>(null)
  const [room, { width }] = useSize<HTMLDivElement>()
  const id = useId()
  const nodes = useMemo(() => shownNodes(roots, { find, collapsed }), [roots, find, collapsed])
  const span = useMemo(() => timeSpanOf(calls), [calls])
  const hasUsage = totals !== undefined && totals.size > 0
  const columns = useMemo(() => columnsFor(width, { hasUsage, hasCosts }), [width, hasUsage, hasCosts])
  const ticks = useMemo(
    () => timelineTicks(span.endMs - span.startMs, (columns.track - trackEdges) / pixelsOfTick + 1),
    [columns.track, span],
  )
  const chosen = useMemo(() => nodes.findIndex(({ call }) => call.id === selected), [nodes, selected])
  const onChoose = useCallback((at: number) => onSelect(nodes[at]!.call.id), [nodes, onSelect])
  const { rows, total, onKeyDown } = useRows({ count: nodes.length, rowHeight, headHeight, scroll, chosen, onChoose })
  const kindOf = (call: TraceCall): Kind => signOfKind(modelCalls?.has(call.id) === true && call.kind === 'other' ? 'model' : call.kind)

  /** Left collapses the selected call, or selects its parent; right expands it. */
  function press(event: KeyboardEvent) {
    onKeyDown(event)
    const node = nodes[chosen]
    const isOwn = event.target === event.currentTarget && !event.altKey && !event.ctrlKey && !event.metaKey
    if (!isOwn || node === undefined || find !== '') return
    const isOpen = node.children.length > 0 && !collapsed.has(node.call.id)
    if (event.key === 'ArrowLeft' && !isOpen && node.parent) onSelect(node.parent.call.id)
    else if (node.children.length > 0 && event.key === (isOpen ? 'ArrowLeft' : 'ArrowRight')) onToggle(node.call.id)
    else return
    event.preventDefault()
  }

  return (
    <div ref={room} className="relative flex min-h-0 grow flex-col">
      <div
        ref={scroll}
        role="tree"
        aria-label="Spans of the trace"
        aria-activedescendant={rows.some(({ index }) => index === chosen) ? `${id}-${chosen}` : undefined}
        tabIndex={0}
        className="min-h-0 grow overflow-x-hidden overflow-y-auto -outline-offset-2"
        onKeyDown={press}
      >
        <Head columns={columns} ticks={ticks} totalMs={span.endMs - span.startMs} />
        <div role="none" className="relative" style={{ height: total }}>
          {rows.map(({ index, start }) => {
            const node = nodes[index]!
            const { call } = node
            return (
              <SpanRow
                key={call.id}
                id={`${id}-${index}`}
                node={node}
                kind={kindOf(call)}
                start={start}
                isChosen={call.id === selected}
                isCollapsed={collapsed.has(call.id)}
                span={span}
                ticks={ticks}
                columns={columns}
                total={totals?.get(call.id)}
                scores={marks?.get(call.id) ?? noScores}
                onSelect={onSelect}
                onToggle={onToggle}
              />
            )
          })}
        </div>
        <Legend calls={calls} kindOf={kindOf} />
      </div>
    </div>
  )
}

function columnsFor(width: number, { hasUsage, hasCosts }: { hasUsage: boolean; hasCosts: boolean }): TimelineColumns {
  const showsUsage = hasUsage && width >= leastForUsage
  const used = leastName + timeWidth + tokensWidth + costWidth
  const costs = !showsUsage || !hasCosts ? 'none' : width - used < trackBesideCosts ? 'hidden' : 'column'
  const widths = [timeWidth, ...(showsUsage ? [tokensWidth] : []), ...(costs === 'column' ? [costWidth] : [])]
  const left = width - leastName - sum(widths)
  const track = Math.round(Math.max(leastTrack, Math.min(width * trackShare, left)))
  const template = ['minmax(0, 1fr)', ...[...widths, track].map((one) => `${one}px`)].join(' ')
  const hasScores = width >= leastForScores
  const name = width - track - sum(widths)
  const maxIndents = Math.max(2, Math.floor((name - readableRow) / indent))
  return { template, hasUsage: showsUsage, costs, hasScores, maxIndents, track }
}

function Head({ columns, ticks, totalMs }: { columns: TimelineColumns; ticks: ReturnType<typeof timelineTicks>; totalMs: number }) {
  return (
    <div
      aria-hidden
      className="num sticky top-0 z-10 grid h-7 items-center border-b border-line bg-sunken text-2xs text-fg-3"
      style={{ gridTemplateColumns: columns.template }}
    >
      <span className="pl-4">Span</span>
      <span className="text-right">Time</span>
      {columns.hasUsage && <span className="text-right">Tokens</span>}
      {columns.costs === 'column' && <span className="text-right">Cost</span>}
      <span className="relative mr-4 ml-3 h-full" data-tip={formatDuration(totalMs)}>
        {ticks.map(({ ms, text }, at) => (
          <span
            key={ms}
            className={cx('absolute top-1.5 whitespace-nowrap', at > 0 && (ms / totalMs > 0.93 ? '-translate-x-full' : '-translate-x-1/2'))}
            style={{ left: `${totalMs > 0 ? (ms / totalMs) * 100 : 0}%` }}
          >
            {text}
          </span>
        ))}
      </span>
    </div>
  )
}

/** The kinds that the trace has, with their signs. */
function Legend({ calls, kindOf }: { calls: readonly TraceCall[]; kindOf: (call: TraceCall) => Kind }) {
  const found = useMemo(() => {
    const used = new Set(calls.map(kindOf))
    return (Object.keys(kinds) as Kind[]).filter((kind) => used.has(kind))
    // Which kind a call is changes with the calls alone.
  }, [calls])
  return (
    <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-3 text-xs text-fg-3">
      {found.map((kind) => (
        <li key={kind} className="flex items-center gap-1.5">
          <KindIcon kind={kind} size={16} />
          {kinds[kind].text}
        </li>
      ))}
    </ul>
  )
}
