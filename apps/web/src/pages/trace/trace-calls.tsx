import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { Failure } from '../../components/failure.tsx'
import { Pending } from '../../components/pending.tsx'
import type { TreeNode } from '@heddle/trace-model'
import { maxMarkedCalls, type TraceCall } from './trace-queries.ts'
import { type TraceView, traceViews } from './trace-search.ts'
import { TraceTree } from './trace-tree.tsx'
import type { TotalUsage, UsageByCall } from './usage/usage-of-trace.ts'
import { maxUsageCalls } from './usage/usage-query.ts'
import type { MessagesQuery } from './views/conversation-query.ts'

const ConversationView = lazy(() => import('./views/conversation-view.tsx').then(({ ConversationView: view }) => ({ default: view })))
const FlameView = lazy(() => import('./views/flame-view.tsx').then(({ FlameView: view }) => ({ default: view })))
const GraphView = lazy(() => import('./views/graph-view.tsx').then(({ GraphView: view }) => ({ default: view })))

const titles: Record<TraceView, string> = { messages: 'Messages', flame: 'Time by name', graph: 'Graph' }

/** What is read beside the calls, once it is there. */
export interface Read<T> {
  data: T | undefined
  error: unknown
  isLoading: boolean
}

interface Properties {
  calls: readonly TraceCall[]
  roots: readonly TreeNode<TraceCall>[]
  /** Says that there are more calls. Undefined where there are none. */
  leftOut: ReactNode
  /** Undefined where nothing tells what judges said. */
  marks?: Read<ReadonlyMap<string, readonly string[]>>
  usage: Read<{ usage: UsageByCall; hasMore: boolean }>
  totals: ReadonlyMap<string, TotalUsage> | undefined
  /** False where nothing tells what tokens cost. */
  hasCosts?: boolean
  /** Reads the messages of some calls. */
  queryMessages: (ids: readonly string[]) => MessagesQuery
  /** By their start; undefined until it is known what was used. */
  modelCalls: readonly TraceCall[] | undefined
  view: TraceView | undefined
  find: string
  selected: string
  onSelect: (id: string) => void
  onFind: (find: string) => void
  onView: (view: TraceView | undefined, find?: string) => void
}

/** The calls of a trace: as a tree with its timeline, as the conversations of its model calls, as time by name, or as a graph of names. */
export function TraceCalls({ leftOut, marks, usage, queryMessages, modelCalls, view, onView, ...tree }: Properties) {
  const modelCallIds = useMemo(() => modelCalls && new Set(modelCalls.map(({ id }) => id)), [modelCalls])
  return (
    <div className="trace-calls" aria-busy={marks?.isLoading === true || usage.isLoading}>
      <div className="row" role="group" aria-label="View of the trace">
        <button type="button" aria-pressed={view === undefined} onClick={() => onView(undefined)}>
          Tree and timeline
        </button>
        {traceViews.map((name) => (
          <button key={name} type="button" aria-pressed={name === view} onClick={() => onView(name)}>
            {titles[name]}
          </button>
        ))}
      </div>
      {leftOut}
      <UsageLeftOut usage={usage} />
      {view === undefined && marks && <MarksLeftOut calls={tree.calls.length} marks={marks} />}
      {view === undefined ? (
        <TraceTree {...tree} modelCalls={modelCallIds} marks={marks?.data} />
      ) : (
        <Suspense fallback={<Pending what="the view" />}>
          {view === 'messages' && modelCalls && (
            <ConversationView calls={modelCalls} queryMessages={queryMessages} onSelect={tree.onSelect} />
          )}
          {view === 'flame' && <FlameView roots={tree.roots} onSelect={tree.onSelect} onFind={(name) => onView(undefined, name)} />}
          {view === 'graph' && <GraphView roots={tree.roots} onFind={(name) => onView(undefined, name)} />}
        </Suspense>
      )}
    </div>
  )
}

/** Says what the page leaves out of the usage of a trace. */
function UsageLeftOut({ usage }: Pick<Properties, 'usage'>) {
  return (
    <>
      <Failure error={usage.error} before="Tokens and costs are not shown." />
      {usage.data?.hasMore === true && (
        <p className="muted">{`Tokens and costs are those of the first ${maxUsageCalls.toLocaleString('en')} calls that used some.`}</p>
      )}
    </>
  )
}

/** Says which calls of the tree have no marks; the other views have none. */
function MarksLeftOut({ calls, marks }: { calls: number; marks: NonNullable<Properties['marks']> }) {
  return (
    <>
      <Failure error={marks.error} before="Scores are not marked." />
      {calls > maxMarkedCalls && (
        <p className="muted">{`Scores are marked on the first ${maxMarkedCalls.toLocaleString('en')} calls; the others have theirs under Feedback.`}</p>
      )}
    </>
  )
}
