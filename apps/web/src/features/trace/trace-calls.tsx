import type { TreeNode } from '@heddle/trace-model'
import { ChevronsDownUp, ChevronsUpDown, Flame, ListTree, MessagesSquare, Search, Waypoints } from 'lucide-react'
import { type ReactNode, Suspense, useDeferredValue, useMemo, useState } from 'react'
import { countText } from '../../lib/texts/count-text.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { Pending } from '../../ui/states/pending.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import type { RowScore } from '../calls/row-score.ts'
import { shownNodes, Timeline } from './timeline.tsx'
import type { TraceView } from './trace-views.ts'
import { maxMarkedCalls } from './marks-query.ts'
import type { TraceCall } from './trace-queries.ts'
import type { TotalUsage, UsageByCall } from './usage/usage-of-trace.ts'
import { maxUsageCalls } from './usage/usage-query.ts'
import type { MessagesQuery } from './views/conversation-query.ts'
import type { ModelRequest } from './views/model-calls.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'

const ConversationView = lazyPart(() => import('./views/conversation-view.tsx').then(({ ConversationView }) => ConversationView))
const FlameView = lazyPart(() => import('./views/flame-view.tsx').then(({ FlameView }) => FlameView))
const GraphView = lazyPart(() => import('./views/graph-view.tsx').then(({ GraphView }) => GraphView))

/** Data that is read in addition to the calls, once it has arrived. */
export interface QueryState<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
}

interface Properties {
  calls: readonly TraceCall[]
  roots: readonly TreeNode<TraceCall>[]
  /** A notice that there are more calls. Undefined if there are none. */
  leftOut: ReactNode
  /** Undefined if scores are unknown. */
  marks?: QueryState<ReadonlyMap<string, readonly RowScore[]>>
  usage: QueryState<{ usage: UsageByCall; hasMore: boolean }>
  totals: ReadonlyMap<string, TotalUsage> | undefined
  /** False if the costs of tokens are unknown. */
  hasCosts?: boolean
  /** Reads the messages of some calls. */
  queryMessages: (ids: readonly string[]) => MessagesQuery
  /** To models, by their start; undefined until their usage is known. */
  requests: readonly ModelRequest[] | undefined
  view: TraceView | undefined
  find: string
  selected: string
  onSelect: (id: string) => void
  onFind: (find: string) => void
  onView: (view: TraceView | undefined, find?: string) => void
}

const timeline = 'timeline'
const views = [
  { value: timeline, label: 'Timeline', icon: ListTree },
  { value: 'messages', label: 'Messages', icon: MessagesSquare },
  { value: 'flame', label: 'Flame', icon: Flame },
  { value: 'graph', label: 'Graph', icon: Waypoints },
]

/** The calls of a trace: on their timeline, as the conversations of its model calls, as time by name, or as a graph of names. */
export function TraceCalls({ leftOut, queryMessages, view, find, onFind, onView, ...properties }: Properties) {
  const { calls, roots, marks, usage, totals, requests, selected, onSelect, hasCosts } = properties
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set<string>())
  const [text, setText] = useState(find)
  // Typing continues while thousands of calls are looked through.
  const wanted = useDeferredValue(text)
  const modelCalls = useMemo(() => requests && new Set(requests.flat().map(({ id }) => id)), [requests])
  const showNamed = (name: string) => {
    setText(name)
    onView(undefined, name)
  }
  const toggle = (id: string) => {
    const next = new Set(collapsed)
    if (!next.delete(id)) next.add(id)
    setCollapsed(next)
  }
  return (
    <div className="flex min-h-0 grow flex-col" aria-busy={marks?.isLoading === true || usage.isLoading}>
      <div className="flex min-h-11 shrink-0 items-center gap-2 border-b border-line px-3">
        <Segmented
          label="View"
          value={view ?? timeline}
          items={views}
          onChange={(next) => onView(next === timeline ? undefined : (next as TraceView))}
        />
        <span className="grow" />
        {view === undefined && (
          <FindSpans
            text={text}
            found={wanted === '' ? undefined : () => shownNodes(roots, { find: wanted, collapsed }).length}
            onChange={(next) => {
              setText(next)
              onFind(next)
            }}
          />
        )}
        {view === undefined && <FoldAll roots={roots} collapsed={collapsed} onChange={setCollapsed} />}
        {view === 'messages' && requests && requests.length > 0 && (
          <span className="num pr-1 text-xs text-fg-3">{countText(requests.length, 'model call')}</span>
        )}
      </div>
      <Notices>
        {leftOut}
        <UsageLeftOut usage={usage} />
        {view === undefined && marks && <MarksLeftOut calls={calls.length} marks={marks} />}
      </Notices>
      {view === undefined ? (
        <Timeline
          calls={calls}
          roots={roots}
          selected={selected}
          onSelect={onSelect}
          marks={marks?.data}
          totals={totals}
          {...(hasCosts !== undefined && { hasCosts })}
          modelCalls={modelCalls}
          find={wanted}
          collapsed={collapsed}
          onToggle={toggle}
        />
      ) : (
        <Suspense
          fallback={
            <div className="p-4">
              <Pending what="the view" />
            </div>
          }
        >
          {view === 'messages' && requests && (
            <ConversationView
              roots={roots}
              requests={requests}
              queryMessages={queryMessages}
              totals={totals}
              selected={selected}
              onSelect={onSelect}
            />
          )}
          {view === 'flame' && (
            <FlameView roots={roots} modelCalls={modelCalls} selected={selected} onSelect={onSelect} onFind={showNamed} />
          )}
          {view === 'graph' && (
            <GraphView roots={roots} modelCalls={modelCalls} selected={selected} onSelect={onSelect} onFind={showNamed} />
          )}
        </Suspense>
      )}
    </div>
  )
}

interface FindProperties {
  text: string
  /** Counts the shown calls; undefined without a search. */
  found: (() => number) | undefined
  onChange: (text: string) => void
}

function FindSpans({ text, found, onChange }: FindProperties) {
  return (
    <>
      {found && (
        <span role="status" className="num text-xs whitespace-nowrap text-fg-3">
          {`${found().toLocaleString('en')} found`}
        </span>
      )}
      <Input
        icon={Search}
        type="search"
        aria-label="Find a span"
        placeholder="Find span"
        className="h-7! w-40 min-w-24 shrink"
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </>
  )
}

interface FoldProperties {
  roots: readonly TreeNode<TraceCall>[]
  collapsed: ReadonlySet<string>
  onChange: (collapsed: ReadonlySet<string>) => void
}

/** Closes all that is below the roots, or opens all. */
function FoldAll({ roots, collapsed, onChange }: FoldProperties) {
  if (collapsed.size > 0) return <IconButton label="Expand all" icon={ChevronsUpDown} onClick={() => onChange(new Set())} />
  return (
    <IconButton
      label="Collapse all"
      icon={ChevronsDownUp}
      onClick={() =>
        onChange(
          new Set(
            shownNodes(roots, { find: '', collapsed }).flatMap(({ call, depth, children }) =>
              depth > 0 && children.length > 0 ? [call.id] : [],
            ),
          ),
        )
      }
    />
  )
}

/** Notices about omitted data above the view; renders nothing without any. */
const Notices = ({ children }: { children: ReactNode }) => (
  <div className="flex shrink-0 flex-col gap-1 border-b border-line px-4 py-2 text-xs text-fg-2 empty:hidden">{children}</div>
)

/** A notice about the usage that the page omits. */
function UsageLeftOut({ usage }: Pick<Properties, 'usage'>) {
  return (
    <>
      <Failure error={usage.error} before="Tokens and costs are not shown." />
      {usage.data?.hasMore === true && (
        <p>{`Tokens and costs are those of the first ${maxUsageCalls.toLocaleString('en')} calls that used some.`}</p>
      )}
    </>
  )
}

/** A notice about the calls of the tree without marks; the other views have none. */
function MarksLeftOut({ calls, marks }: { calls: number; marks: NonNullable<Properties['marks']> }) {
  return (
    <>
      <Failure error={marks.error} before="Scores are not marked." />
      {calls > maxMarkedCalls && (
        <p>{`Scores are marked on the first ${maxMarkedCalls.toLocaleString('en')} calls; the others have theirs under Scores.`}</p>
      )}
    </>
  )
}
