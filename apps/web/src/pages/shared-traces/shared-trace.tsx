import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ShowQuery } from '../../components/show-query.tsx'
import { buildTree, listNodes } from '@heddle/trace-model'
import { TraceCalls } from '../trace/trace-calls.tsx'
import { maxTraceCalls } from '../trace/trace-queries.ts'
import { countedUsage, settleUsage, totalUsage } from '../trace/usage/usage-of-trace.ts'
import { modelCallsOf } from '../trace/views/model-calls.ts'
import { SharedCall } from './shared-call.tsx'
import type { SharedSearch } from './shared-search.ts'
import { sharedMessagesQuery, sharedTreeQuery, sharedUsageQuery } from './shared-trace-queries.ts'

const route = getRouteApi('/shared')

/** The trace of a public link, as the page of a trace shows it, without what its project has beside its calls. */
export function SharedTrace({ token }: { token: string }) {
  const { selected: chosen, tab, view, find = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const trace = useQuery(sharedTreeQuery(token))
  const usage = useQuery(sharedUsageQuery(token, trace.data?.calls.length ?? 0))
  const roots = useMemo(() => buildTree(trace.data?.calls ?? []), [trace.data])
  const settled = useMemo(() => usage.data && settleUsage(trace.data?.calls ?? [], usage.data.usage), [trace.data, usage.data])
  const counted = useMemo(() => usage.data && countedUsage(settled, usage.data.usage), [settled, usage.data])
  const totals = useMemo(() => counted && totalUsage(roots, counted), [roots, counted])
  const modelCalls = useMemo(() => usage.data && modelCallsOf(trace.data?.calls ?? [], settled), [trace.data, usage.data, settled])
  const nodes = useMemo(() => new Map(listNodes(roots).map((node) => [node.call.id, node])), [roots])
  const selected = chosen ?? roots[0]?.call.id
  // The token stays in the address, so that the page opens again.
  const change = (part: SharedSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }), hash: true, replace })
  const select = (next: string) => change({ selected: next }, true)
  const below = selected === undefined ? [] : (nodes.get(selected)?.children.map(({ call }) => call) ?? [])
  return (
    <div className="trace">
      <ShowQuery query={trace} what="the calls of the trace">
        {({ calls, hasMore }) => (
          <TraceCalls
            calls={calls}
            roots={roots}
            leftOut={hasMore && <CallsLeftOut />}
            usage={usage}
            totals={totals}
            hasCosts={false}
            queryMessages={(ids) => sharedMessagesQuery(token, ids)}
            modelCalls={modelCalls}
            view={view}
            find={find}
            selected={selected ?? ''}
            onSelect={select}
            onFind={(next) => change({ find: next || undefined }, true)}
            onView={(next, name) => change({ view: next, ...(name !== undefined && { find: name }) })}
          />
        )}
      </ShowQuery>
      <section aria-label="Call" className="trace-details">
        {selected !== undefined && (
          <SharedCall token={token} id={selected} tab={tab} below={below} onSelect={select} onTab={(next) => change({ tab: next }, true)} />
        )}
      </section>
    </div>
  )
}

function CallsLeftOut() {
  return (
    <p className="notice">{`The first ${maxTraceCalls.toLocaleString('en')} calls by time are shown; the trace has more, which are left out.`}</p>
  )
}
