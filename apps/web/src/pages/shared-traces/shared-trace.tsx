import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { callsBelow } from '../../features/trace/conversation-below.tsx'
import { TraceCalls } from '../../features/trace/trace-calls.tsx'
import { TraceLayout } from '../../features/trace/trace-layout.tsx'
import { maxTraceCalls } from '../../features/trace/trace-queries.ts'
import { TraceTotals } from '../../features/trace/trace-totals.tsx'
import { useTrace } from '../../features/trace/use-trace.ts'
import { SharedCall } from './shared-call.tsx'
import type { SharedSearch } from './shared-search.ts'
import { sharedMessagesQuery, sharedTreeQuery, sharedUsageQuery } from './shared-trace-queries.ts'

const route = getRouteApi('/shared')

/** The trace of a public link, as the page of a trace shows it, but without the project's data about its calls. */
export function SharedTrace({ token }: { token: string }) {
  const { selected: chosen, tab, view, find = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const trace = useQuery(sharedTreeQuery(token))
  const usage = useQuery(sharedUsageQuery(token, trace.data?.calls.length ?? 0))
  const parts = useTrace(trace.data, usage.data, chosen)
  const { root, roots, totals, requests } = parts
  const selected = chosen ?? root?.id ?? ''
  const change = (part: SharedSearch, replace = false) =>
    void navigate({ search: (before) => ({ ...before, ...part }), hash: true, replace })
  const select = (next: string) => change({ selected: next }, true)
  const queryMessages = (ids: readonly string[]) => sharedMessagesQuery(token, ids)
  return (
    <TraceLayout
      totals={
        <TraceTotals calls={trace.data?.calls} hasMore={trace.data?.hasMore === true} roots={roots} totals={totals} hasCosts={false} />
      }
      details={
        selected !== '' && (
          <SharedCall
            key={selected}
            token={token}
            id={selected}
            tab={tab}
            below={callsBelow(parts, { queryMessages, onSelect: select })}
            onTab={(next) => change({ tab: next }, true)}
          />
        )
      }
    >
      <ShowQuery query={trace} what="the calls of the trace" className="p-4">
        {({ calls, hasMore }) => (
          <TraceCalls
            calls={calls}
            roots={roots}
            leftOut={hasMore && <CallsLeftOut />}
            usage={usage}
            totals={totals}
            hasCosts={false}
            queryMessages={queryMessages}
            requests={requests}
            view={view}
            find={find}
            selected={selected}
            onSelect={select}
            onFind={(next) => change({ find: next || undefined }, true)}
            onView={(next, name) => change({ view: next, ...(name !== undefined && { find: name }) })}
          />
        )}
      </ShowQuery>
    </TraceLayout>
  )
}

const CallsLeftOut = () => (
  <p>{`The first ${maxTraceCalls.toLocaleString('en')} calls by time are shown; the trace has more, which are left out.`}</p>
)
