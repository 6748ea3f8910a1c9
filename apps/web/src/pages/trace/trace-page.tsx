import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { callQuery } from '../calls/call-query.ts'
import { ShareTrace } from '../shared-traces/share-trace.tsx'
import { TrajectoriesOfTrace } from '../trajectories/trajectories-of-trace.tsx'
import { CallsLeftOut } from './calls-left-out.tsx'
import { CallDetails } from './call-details.tsx'
import { buildTree, listNodes } from '@heddle/trace-model'
import { ListSteps } from './list-steps.tsx'
import { TraceCalls } from './trace-calls.tsx'
import { marksQuery, traceQuery } from './trace-queries.ts'
import type { TraceSearch } from './trace-search.ts'
import { traceUsageQuery } from './usage/usage-query.ts'
import { countedUsage, settleUsage, totalUsage, usageBelow } from './usage/usage-of-trace.ts'
import { conversationQuery } from './views/conversation-query.ts'
import { modelCallsOf } from './views/model-calls.ts'

const route = getRouteApi('/$entity/$project/calls/$call')

/** A trace as a tree with its timeline, beside one of its calls. */
export function TracePage() {
  const { id: project, ...params } = useProject()
  const { call: id } = route.useParams()
  const { selected = id, tab, view, find = '', list } = route.useSearch()
  const navigate = route.useNavigate()
  const call = useQuery(callQuery(project, id))
  const trace = useQuery(traceQuery(project, id))
  const marks = useQuery(marksQuery(project, call.data?.trace_id, trace.data?.calls ?? []))
  const usage = useQuery(traceUsageQuery(project, call.data?.trace_id, trace.data?.calls.length ?? 0))
  const roots = useMemo(() => buildTree(trace.data?.calls ?? []), [trace.data])
  const settled = useMemo(() => usage.data && settleUsage(trace.data?.calls ?? [], usage.data.usage), [trace.data, usage.data])
  const counted = useMemo(() => usage.data && countedUsage(settled, usage.data.usage), [settled, usage.data])
  const totals = useMemo(() => counted && totalUsage(roots, counted), [roots, counted])
  const modelCalls = useMemo(() => usage.data && modelCallsOf(trace.data?.calls ?? [], settled), [trace.data, usage.data, settled])
  const change = (part: TraceSearch, replace = false) => void navigate({ search: (before) => ({ ...before, ...part }), replace })
  const select = (next: string) => change({ selected: next }, true)
  const nodes = useMemo(() => new Map(listNodes(roots).map((node) => [node.call.id, node])), [roots])
  const below = useMemo(() => {
    const node = nodes.get(selected)
    return {
      calls: node?.children.map(({ call: child }) => child) ?? [],
      usage: node && counted && usageBelow(node, counted),
    }
  }, [nodes, counted, selected])
  return (
    <>
      <h1>Trace</h1>
      {list && <ListSteps call={id} list={list} />}
      <div className="row">
        <Link to="/$entity/$project/calls/compare" params={params} search={{ ids: id }}>
          Compare with another trace
        </Link>
        {call.data && <ShareTrace key={call.data.trace_id} traceId={call.data.trace_id} />}
      </div>
      <TrajectoriesOfTrace traceId={call.data?.trace_id} />
      <div className="trace">
        {call.data !== null && (
          <ShowQuery query={trace} what="the calls of the trace">
            {({ calls, hasMore }) => (
              <TraceCalls
                calls={calls}
                roots={roots}
                leftOut={hasMore && call.data && <CallsLeftOut traceId={call.data.trace_id} />}
                marks={marks}
                usage={usage}
                totals={totals}
                queryMessages={(ids) => conversationQuery(project, ids)}
                modelCalls={modelCalls}
                view={view}
                find={find}
                selected={selected}
                onSelect={select}
                onFind={(next) => change({ find: next || undefined }, true)}
                onView={(next, name) => change({ view: next, ...(name !== undefined && { find: name }) })}
              />
            )}
          </ShowQuery>
        )}
        <section aria-label="Call" className="trace-details">
          <CallDetails id={selected} tab={tab} below={{ ...below, onSelect: select }} onTab={(next) => change({ tab: next }, true)} />
        </section>
      </div>
    </>
  )
}
