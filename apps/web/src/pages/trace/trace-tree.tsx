import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react'
import { formatDuration } from '../../components/duration.ts'
import { useRows } from '../../components/use-rows.ts'
import { readableName } from '../../components/readable-name.ts'
import { formatCost } from '../../components/format-cost.ts'
import { KindIcon } from '../calls/kind-icon.tsx'
import { findNodes, listNodes, type TreeNode } from '@heddle/trace-model'
import { isOutsideParent } from './is-outside-parent.ts'
import { runningMark } from './running-mark.ts'
import type { TraceCall } from './trace-queries.ts'
import type { TotalUsage } from './usage/usage-of-trace.ts'

const rowHeight = 28
const indentPx = 14
/** Deeper calls are not indented further: they show their depth as a number. */
const maxIndents = 16

interface Properties {
  calls: readonly TraceCall[]
  /** The same calls as trees. */
  roots: readonly TreeNode<TraceCall>[]
  selected: string
  onSelect: (id: string) => void
  /** What judges said of calls, by their ids. */
  marks?: ReadonlyMap<string, readonly string[]> | undefined
  /** What calls used with those below them, by their ids. */
  totals?: ReadonlyMap<string, TotalUsage> | undefined
  /** False where nothing tells what tokens cost. */
  hasCosts?: boolean
  /** Ids of the calls that used a model themselves. */
  modelCalls?: ReadonlySet<string> | undefined
  /** A part of the names of the calls that are shown at first; all without one. */
  find: string
  onFind: (find: string) => void
}

/** The calls of a trace as a tree, each with its time on the same row. */
export function TraceTree({ calls, roots, selected, onSelect, marks, totals, hasCosts = true, modelCalls, find, onFind }: Properties) {
  const scroll = useRef<HTMLDivElement>(null)
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set<string>())
  const [text, setText] = useState(find)
  // Typing continues while thousands of calls are looked through.
  const wanted = useDeferredValue(text)
  const nodes = useMemo(
    () => (wanted === '' ? listNodes(roots, collapsed) : findNodes(roots, ({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))),
    [roots, collapsed, wanted],
  )
  const span = useMemo(() => timeSpan(calls), [calls])
  const hasUsage = totals !== undefined && totals.size > 0
  const chosen = useMemo(() => nodes.findIndex(({ call }) => call.id === selected), [nodes, selected])
  const { virtual, onKeyDown } = useRows({
    count: nodes.length,
    rowHeight,
    scroll,
    chosen,
    onChoose: (at) => onSelect(nodes[at]!.call.id),
  })

  function toggle(id: string) {
    const next = new Set(collapsed)
    if (!next.delete(id)) next.add(id)
    setCollapsed(next)
  }

  /** The arrows to the sides close and open what is below the selected call, as in any tree. */
  function press(event: KeyboardEvent) {
    onKeyDown(event)
    const node = nodes[chosen]
    const isOwn = event.target === event.currentTarget && !event.altKey && !event.ctrlKey && !event.metaKey
    if (!isOwn || node === undefined || node.children.length === 0 || wanted !== '') return
    if (event.key !== (collapsed.has(node.call.id) ? 'ArrowRight' : 'ArrowLeft')) return
    event.preventDefault()
    toggle(node.call.id)
  }

  return (
    <>
      <p className="muted">{`${calls.length.toLocaleString('en')} ${calls.length === 1 ? 'call' : 'calls'} in ${formatDuration(span.endMs - span.startMs)}. The arrow keys, Page, Home and End select one; ← and → close and open what is below it.`}</p>
      <div className="row">
        <label htmlFor="find-calls">Find</label>
        <input
          id="find-calls"
          placeholder="a part of a name"
          value={text}
          onChange={({ target: { value } }) => {
            setText(value)
            onFind(value)
          }}
        />
        {wanted !== '' && <span role="status">{`${nodes.length.toLocaleString('en')} found`}</span>}
      </div>
      <div ref={scroll} className="grid-rows" role="group" aria-label="Calls of the trace" tabIndex={0} onKeyDown={press}>
        <div className="grid-body" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const node = nodes[index]!
            return (
              <div
                key={node.call.id}
                className={`trace-row${hasUsage ? ' with-usage' : ''}${node.call.id === selected ? ' chosen' : ''}`}
                style={{ transform: `translateY(${start}px)` }}
                onClick={({ target }) => {
                  if (target instanceof Element && target.closest('button') === null) onSelect(node.call.id)
                }}
              >
                <div className="trace-name" style={{ paddingLeft: Math.min(node.depth, maxIndents) * indentPx }}>
                  {node.children.length === 0 ? (
                    <span className="no-toggle" />
                  ) : (
                    <button
                      type="button"
                      className="small"
                      aria-expanded={!collapsed.has(node.call.id)}
                      aria-label={`Calls below ${readableName(node.call.name)}`}
                      onClick={() => toggle(node.call.id)}
                    >
                      {collapsed.has(node.call.id) ? '+' : '−'}
                    </button>
                  )}
                  <KindIcon
                    kind={modelCalls?.has(node.call.id) === true && node.call.kind === 'other' ? 'model' : node.call.kind}
                    isFailed={node.call.status === 'error'}
                  />
                  <button
                    type="button"
                    className={`name status-${node.call.status}`}
                    aria-current={node.call.id === selected}
                    title={readableName(node.call.name)}
                    onClick={() => onSelect(node.call.id)}
                  >
                    {readableName(node.call.name)}
                  </button>
                  <Marks node={node} />
                  <Scores marks={marks?.get(node.call.id) ?? []} />
                </div>
                <Bar call={node.call} span={span} />
                {hasUsage && <UsageCell total={totals?.get(node.call.id)} hasCosts={hasCosts} />}
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

function Marks({ node }: { node: TreeNode<TraceCall> }) {
  const marks = [
    runningMark(node.call, Date.now()),
    node.isOrphan && 'missing parent',
    node.isInCycle && 'cyclic parents',
    isOutsideParent(node) && 'outside the time of its parent',
    node.depth > maxIndents && `depth ${node.depth}`,
  ].filter((mark) => typeof mark === 'string')
  return marks.map((mark) => (
    <span key={mark} className="tag">
      {mark}
    </span>
  ))
}

/** Tokens and cost of a call with those below it. */
function UsageCell({ total, hasCosts }: { total: TotalUsage | undefined; hasCosts: boolean }) {
  if (!total) return <span />
  const tokens = `${total.tokens.toLocaleString('en')} tok`
  if (!hasCosts) return <span className="number trace-usage">{tokens}</span>
  const cost = total.cost === null ? 'no price' : `${formatCost(total.cost)}${total.unpriced > 0 ? '+' : ''}`
  const title = total.cost !== null && total.unpriced > 0 ? `${total.unpriced} uses without a price are left out` : undefined
  return (
    <span className="number trace-usage" title={title}>
      {`${tokens} · ${cost}`}
    </span>
  )
}

const shownScores = 2

/** The newest scores of a call; the others are named when the pointer rests on their number, and stand in its feedback. */
function Scores({ marks }: { marks: readonly string[] }) {
  const further = marks.slice(shownScores)
  return (
    <>
      {marks.slice(0, shownScores).map((mark, at) => (
        // Two judges may say the same.
        <span key={`${at} ${mark}`} className="tag" title={mark}>
          {mark}
        </span>
      ))}
      {further.length > 0 && (
        <span className="tag" title={further.join(', ')}>
          +{further.length}
        </span>
      )}
    </>
  )
}

interface TimeSpan {
  startMs: number
  endMs: number
}

/** From the first start to the last end. A call that runs counts with its start: how long it will take is not known. */
function timeSpan(calls: readonly TraceCall[]): TimeSpan {
  let [startMs, endMs] = [Infinity, -Infinity]
  for (const call of calls) {
    startMs = Math.min(startMs, call.startedAt)
    endMs = Math.max(endMs, call.endedAt ?? call.startedAt)
  }
  return calls.length === 0 ? { startMs: 0, endMs: 0 } : { startMs, endMs }
}

function Bar({ call, span }: { call: TraceCall; span: TimeSpan }) {
  const whole = Math.max(1, span.endMs - span.startMs)
  const percent = (ms: number) => `${(ms / whole) * 100}%`
  const endMs = call.endedAt ?? span.endMs
  const text = call.endedAt === null ? 'running' : formatDuration(endMs - call.startedAt)
  return (
    <div className="trace-time">
      <div className="trace-track">
        <div
          className={`trace-bar ${call.status}`}
          style={{ left: percent(call.startedAt - span.startMs), width: percent(Math.max(0, endMs - call.startedAt)) }}
        />
      </div>
      <span className="number">{text}</span>
    </div>
  )
}
