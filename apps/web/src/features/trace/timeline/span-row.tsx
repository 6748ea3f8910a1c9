import type { TreeNode } from '@heddle/trace-model'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { costSourceText } from '@heddle/trace-model'
import { formatDuration } from '../../../lib/time/duration.ts'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { cx } from '../../../lib/cx.ts'
import { type Kind, KindIcon, StatusIcon } from '../../../ui/badge.tsx'
import type { RowScore } from '../../calls/row-score.ts'
import { CallName } from '../../calls/call-name.tsx'
import { MarkAfterName } from '../../calls/mark-after-name.tsx'
import { ScoreMarks } from '../../calls/score-mark.tsx'
import { signOfStatus } from '../../calls/status-sign.ts'
import { isOutsideParent } from '../is-outside-parent.ts'
import { runningMark } from '../running-mark.ts'
import type { TraceCall } from '../trace-queries.ts'
import type { TotalUsage } from '../usage/usage-of-trace.ts'
import type { TimeSpan } from './time-span.ts'
import type { Tick } from './timeline-ticks.ts'

export const rowHeight = 32

/** Columns of the rows and their head. */
export interface TimelineColumns {
  template: string
  hasUsage: boolean
  /** A column, or where it would leave the timeline too narrow, for screen readers only. */
  costs: 'column' | 'hidden' | 'none'
  hasScores: boolean
  /** Deeper calls are not indented further, and show their depth as a number. */
  maxIndents: number
  /** Pixels of the timeline. */
  track: number
}

interface Properties {
  id: string
  node: TreeNode<TraceCall>
  kind: Kind
  start: number
  isChosen: boolean
  isCollapsed: boolean
  span: TimeSpan
  ticks: readonly Tick[]
  columns: TimelineColumns
  total: TotalUsage | undefined
  scores: readonly RowScore[]
  onSelect: (id: string) => void
  onToggle: (id: string) => void
}

/** A call on its line: what it is, how long it took, what it used, and when. */
export const SpanRow = memo(function SpanRow({ id, node, kind, start, isChosen, isCollapsed, ...properties }: Properties) {
  const { call, depth, children } = node
  const { span, ticks, columns, total, scores, onSelect, onToggle } = properties
  const name = readableName(call.name)
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      aria-expanded={children.length === 0 ? undefined : !isCollapsed}
      className={cx(
        'absolute inset-x-0 top-0 grid h-8 items-center border-b border-line',
        isChosen ? 'bg-selected shadow-[inset_2px_0_var(--accent)]' : 'hover:bg-hover',
      )}
      style={{ transform: `translateY(${start}px)`, gridTemplateColumns: columns.template }}
      onClick={() => onSelect(call.id)}
    >
      <span className="flex min-w-0 items-center pr-2 pl-3">
        <Indents depth={depth} most={columns.maxIndents} />
        {children.length === 0 ? (
          <span aria-hidden className="w-4 shrink-0" />
        ) : (
          // The arrow keys fold, too: this is for the pointer.
          <span
            data-fold-of={call.id}
            aria-hidden
            className="-my-1 -ml-1 inline-flex h-8 w-5 shrink-0 items-center justify-center text-fg-3 hover:text-fg"
            onClick={(event) => {
              event.stopPropagation()
              onToggle(call.id)
            }}
          >
            {isCollapsed ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
          </span>
        )}
        <KindIcon kind={kind} />
        <span
          className={cx('ml-2 min-w-6 truncate', depth === 0 && 'font-semibold', call.status === 'error' && 'text-red-text')}
          data-cut=""
          data-tip={name}
          data-place="top"
        >
          <CallName name={call.name} kind={kind} />
        </span>
        <StatusMark call={call} />
        <Marks node={node} />
        <span className="grow" />
        {columns.hasScores && scores.length > 0 && (
          <span className="ml-2 shrink-0">
            <ScoreMarks scores={scores} shown={1} isNamed={false} />
          </span>
        )}
      </span>
      <span className="num text-right text-xs text-fg-2">
        {call.endedAt === null ? <span className="text-blue-text">Running</span> : formatDuration(call.endedAt - call.startedAt)}
      </span>
      {columns.hasUsage && <Tokens total={total} />}
      {columns.costs !== 'none' && <Cost total={total} isHidden={columns.costs === 'hidden'} />}
      <Bar call={call} kind={kind} isParent={children.length > 0} span={span} ticks={ticks} />
    </div>
  )
})

/** A line for each call above, so that one sees what it is below. */
function Indents({ depth, most }: { depth: number; most: number }) {
  return (
    <>
      {Array.from({ length: Math.min(depth, most) }, (_, at) => (
        <span key={at} aria-hidden className="-mr-1.75 ml-1.75 h-8 w-4 shrink-0 border-l border-line-2" />
      ))}
      {depth > most && (
        <span className="num mr-1 text-2xs text-fg-3" data-tip={`depth ${depth}`}>
          {depth}
        </span>
      )}
    </>
  )
}

function StatusMark({ call }: { call: TraceCall }) {
  if (call.status !== 'error' && call.status !== 'descendant_error') return null
  const sign = signOfStatus(call.status)
  return (
    <span className="ml-1.5 inline-flex" data-tip={sign.label} data-place="top">
      <StatusIcon {...sign} size={14} />
    </span>
  )
}

function Marks({ node }: { node: TreeNode<TraceCall> }) {
  const marks = [
    runningMark(node.call, Date.now()),
    node.isOrphan && 'missing parent',
    node.isInCycle && 'cyclic parents',
    isOutsideParent(node) && 'outside the time of its parent',
  ].filter((mark) => typeof mark === 'string')
  return marks.map((mark) => <MarkAfterName key={mark} text={mark} />)
}

const nothing = <span />

function Tokens({ total }: { total: TotalUsage | undefined }) {
  if (!total || total.tokens === null) return nothing
  return (
    <span className="num text-right text-xs text-fg-2">
      {total.tokens.toLocaleString('en')}
      <span className="sr-only"> tok</span>
    </span>
  )
}

/** Cost of a call with those below it, and how much of it is unknown. */
function Cost({ total, isHidden }: { total: TotalUsage | undefined; isHidden: boolean }) {
  if (!total) return isHidden ? null : nothing
  const source = total.cost === null ? undefined : costSourceText(total)
  const leftOut = total.cost !== null && total.unpriced > 0 ? `${total.unpriced} uses without a price are left out` : undefined
  const tip = [leftOut, source].filter((text) => text !== undefined).join('; ') || undefined
  const text =
    total.cost === null ? 'No price' : `${formatCost(total.cost)}${total.unpriced > 0 ? '+' : ''}${source === undefined ? '' : '*'}`
  return (
    <span
      className={isHidden ? 'sr-only' : cx('num truncate text-right text-xs', total.cost === null ? 'text-fg-3' : 'text-fg-2')}
      data-tip={tip}
      data-place="top"
    >
      {text}
    </span>
  )
}

/** When a call starts, from the start of the trace. The first starts at 0 ms, not at less than 1 ms. */
const startText = (ms: number) => (ms <= 0 ? '0 ms' : formatDuration(ms))

interface BarProperties extends Pick<Properties, 'kind' | 'span' | 'ticks'> {
  call: TraceCall
  isParent: boolean
}

const stripes = 'repeating-linear-gradient(135deg, var(--red) 0 4px, color-mix(in srgb, var(--red) 55%, var(--sheet)) 4px 7px)'

function Bar({ call, kind, isParent, span, ticks }: BarProperties) {
  const whole = Math.max(1, span.endMs - span.startMs)
  const percent = (ms: number) => `${(ms / whole) * 100}%`
  const endMs = call.endedAt ?? span.endMs
  const took = call.endedAt === null ? 'runs' : `takes ${formatDuration(endMs - call.startedAt)}`
  return (
    <span
      className="relative mr-4 ml-3 block h-8"
      data-tip={`Starts at ${startText(call.startedAt - span.startMs)}, ${took}`}
      data-place="top"
    >
      {ticks.map(({ ms }) => (
        <span key={ms} aria-hidden className="absolute inset-y-0 w-px bg-line" style={{ left: percent(ms) }} />
      ))}
      <span
        aria-hidden
        className={cx('absolute top-2.75 h-2.5 rounded-xs', call.status === 'running' && 'live')}
        style={{
          left: `min(${percent(call.startedAt - span.startMs)}, 100% - 3px)`,
          width: `max(3px, ${percent(Math.max(0, endMs - call.startedAt))})`,
          background: call.status === 'error' ? stripes : `var(--kind-${kind})`,
          opacity: (isParent && call.status !== 'error') || call.status === 'running' ? 0.45 : 1,
        }}
      />
    </span>
  )
}
