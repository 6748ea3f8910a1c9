import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { Pending } from '../../components/pending.tsx'
import type { TreeNode } from './build-tree.ts'
import { maxMarkedCalls, maxTraceCalls, type TraceCall, traceCountQuery } from './trace-queries.ts'
import { type TraceView, traceViews } from './trace-search.ts'
import { TraceTree } from './trace-tree.tsx'
import type { TotalUsage, UsageByCall } from './usage/usage-of-trace.ts'
import { maxUsageCalls } from './usage/usage-query.ts'

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
  /** Undefined until the call of the page is read. */
  traceId: string | undefined
  calls: readonly TraceCall[]
  roots: readonly TreeNode<TraceCall>[]
  hasMore: boolean
  marks: Read<ReadonlyMap<string, readonly string[]>>
  usage: Read<{ usage: UsageByCall; hasMore: boolean }>
  totals: ReadonlyMap<string, TotalUsage> | undefined
  modelCalls: ReadonlySet<string> | undefined
  view: TraceView | undefined
  find: string
  selected: string
  onSelect: (id: string) => void
  onFind: (find: string) => void
  onView: (view: TraceView | undefined, find?: string) => void
}

/** The calls of a trace: as a tree with its timeline, as the conversations of its model calls, as time by name, or as a graph of names. */
export function TraceCalls({ traceId, marks, usage, view, onView, ...tree }: Properties) {
  return (
    <div className="trace-calls" aria-busy={marks.isLoading || usage.isLoading}>
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
      <LeftOut traceId={traceId} hasMore={tree.hasMore} usage={usage} />
      {view === undefined && <MarksLeftOut calls={tree.calls.length} marks={marks} />}
      {view === undefined ? (
        <TraceTree {...tree} marks={marks.data} />
      ) : (
        <Suspense fallback={<Pending what="the view" />}>
          {view === 'messages' && usage.data && <ConversationView roots={tree.roots} usage={usage.data.usage} onSelect={tree.onSelect} />}
          {view === 'flame' && <FlameView roots={tree.roots} onSelect={tree.onSelect} onFind={(name) => onView(undefined, name)} />}
          {view === 'graph' && <GraphView roots={tree.roots} onFind={(name) => onView(undefined, name)} />}
        </Suspense>
      )}
    </div>
  )
}

/** Says what the page leaves out of a trace. */
function LeftOut({ traceId, hasMore, usage }: Pick<Properties, 'traceId' | 'hasMore' | 'usage'>) {
  return (
    <>
      {hasMore && traceId !== undefined && <CallsLeftOut traceId={traceId} />}
      <Failure error={usage.error} before="Tokens and costs are not shown." />
      {usage.data?.hasMore === true && (
        <p className="muted">{`Tokens and costs are those of the first ${maxUsageCalls.toLocaleString('en')} calls that used some.`}</p>
      )}
    </>
  )
}

/** Counts the calls that the page leaves out, and leads to all of them. */
function CallsLeftOut({ traceId }: { traceId: string }) {
  const { entity, project, id } = useProject()
  const { data: count } = useQuery(traceCountQuery(id, traceId))
  const others = count === undefined ? 'the trace has more' : `${(count - maxTraceCalls).toLocaleString('en')} more are left out`
  return (
    <p className="notice">
      {`The first ${maxTraceCalls.toLocaleString('en')} calls by time are shown; ${others}.`}{' '}
      <Link
        to="/$entity/$project/calls"
        params={{ entity, project }}
        search={{ level: 'all', where: [{ path: 'trace_id', operator: '=', value: traceId }] }}
      >
        All calls of the trace
      </Link>
    </p>
  )
}

/** Says which calls of the tree have no marks; the other views have none. */
function MarksLeftOut({ calls, marks }: Pick<Properties, 'marks'> & { calls: number }) {
  return (
    <>
      <Failure error={marks.error} before="Scores are not marked." />
      {calls > maxMarkedCalls && (
        <p className="muted">{`Scores are marked on the first ${maxMarkedCalls.toLocaleString('en')} calls; the others have theirs under Feedback.`}</p>
      )}
    </>
  )
}
