import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { callQuery } from '../calls/calls-queries.ts'
import { TrajectoriesOfTrace } from '../trajectories/trajectories-of-trace.tsx'
import { CallDetails } from './call-details.tsx'
import { buildTree, listNodes } from './build-tree.ts'
import { marksQuery, maxMarkedCalls, maxTraceCalls, traceQuery } from './trace-queries.ts'
import { TraceTree } from './trace-tree.tsx'
import { maxUsageCalls, traceUsageQuery } from './usage/usage-query.ts'
import { totalUsage, usageBelow } from './usage/usage-of-trace.ts'

const route = getRouteApi('/$entity/$project/calls/$call')

/** A trace as a tree with its timeline, beside one of its calls. */
export function TracePage() {
  const { id: project, ...params } = useProject()
  const { call: id } = route.useParams()
  const { selected = id, tab, find = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const call = useQuery(callQuery(project, id))
  const trace = useQuery(traceQuery(project, call.data?.trace_id))
  const marks = useQuery(marksQuery(project, call.data?.trace_id, trace.data?.calls ?? []))
  const usage = useQuery(traceUsageQuery(project, call.data?.trace_id, trace.data?.calls.length ?? 0))
  const roots = useMemo(() => buildTree(trace.data?.calls ?? []), [trace.data])
  const totals = useMemo(() => usage.data && totalUsage(roots, usage.data.usage), [roots, usage.data])
  const select = (next: string) => void navigate({ search: (before) => ({ ...before, selected: next }), replace: true })
  const nodes = useMemo(() => new Map(listNodes(roots, new Set()).map((node) => [node.call.id, node])), [roots])
  const below = useMemo(() => {
    const node = nodes.get(selected)
    return {
      calls: node?.children.map(({ call: child }) => child) ?? [],
      usage: node && usage.data && usageBelow(node, usage.data.usage),
    }
  }, [nodes, usage.data, selected])
  return (
    <>
      <h1>Trace</h1>
      <p>
        <Link to="/$entity/$project/calls/compare" params={params} search={{ ids: id }}>
          Compare with another trace
        </Link>
      </p>
      <TrajectoriesOfTrace traceId={call.data?.trace_id} />
      <div className="trace">
        <ShowQuery query={call} what="the call">
          {(found) =>
            found && (
              <ShowQuery query={trace} what="the calls of the trace">
                {({ calls, hasMore }) => (
                  <div className="trace-calls" aria-busy={marks.isLoading || usage.isLoading}>
                    {hasMore && (
                      <p className="notice">
                        {`The first ${maxTraceCalls.toLocaleString('en')} calls are shown; the trace has more. Filter the calls table by trace_id to see them.`}
                      </p>
                    )}
                    <Failure error={marks.error} before="Scores are not marked." />
                    {calls.length > maxMarkedCalls && (
                      <p className="muted">{`Scores are marked on the first ${maxMarkedCalls.toLocaleString('en')} calls; the others have theirs under Feedback.`}</p>
                    )}
                    <Failure error={usage.error} before="Tokens and costs are not shown." />
                    {usage.data?.hasMore === true && (
                      <p className="muted">{`Tokens and costs are those of the first ${maxUsageCalls.toLocaleString('en')} calls that used some.`}</p>
                    )}
                    <TraceTree
                      marks={marks.data}
                      totals={totals}
                      calls={calls}
                      roots={roots}
                      selected={selected}
                      onSelect={select}
                      find={find}
                      onFind={(next) => void navigate({ search: (before) => ({ ...before, find: next || undefined }), replace: true })}
                    />
                  </div>
                )}
              </ShowQuery>
            )
          }
        </ShowQuery>
        <section aria-label="Call" className="trace-details">
          <CallDetails
            id={selected}
            tab={tab}
            below={{ ...below, onSelect: select }}
            onTab={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
          />
        </section>
      </div>
    </>
  )
}
