import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Database, ListTree } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { readableName } from '../../lib/texts/readable-name.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { callQuery } from '../../features/calls/call-query.ts'
import { tagsOfCall } from '../../features/calls/tags-of-call.ts'
import { TagsOfCall } from '../../features/trace/call-pane.tsx'
import { callsBelow } from '../../features/trace/conversation-below.tsx'
import { TraceCalls } from '../../features/trace/trace-calls.tsx'
import { TraceLayout } from '../../features/trace/trace-layout.tsx'
import { marksQuery } from '../../features/trace/marks-query.ts'
import { traceQuery } from '../../features/trace/trace-queries.ts'
import { TraceTotals } from '../../features/trace/trace-totals.tsx'
import { useTrace } from '../../features/trace/use-trace.ts'
import { traceUsageQuery } from '../../features/trace/usage/usage-query.ts'
import { conversationQuery } from '../../features/trace/views/conversation-query.ts'
import { Button } from '../../ui/button.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { EmptyState, Skeleton } from '../../ui/card.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ShareTrace } from '../../features/shared-traces/share-trace.tsx'
import { CallDetails } from '../../features/trace/call-details.tsx'
import { CallsLeftOut } from './calls-left-out.tsx'
import { TraceFacts } from './trace-facts.tsx'
import type { TraceSearch } from './trace-search.ts'
import type { CallStatus } from '@heddle/trace-model'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { signOfStatus } from '../../features/calls/status-sign.ts'
import { lazyDialog, lazyPart } from '../../ui/lazy-part.tsx'

const AddToDataset = lazyDialog(() => import('../../features/calls/add/add-to-dataset.tsx').then(({ AddToDataset }) => AddToDataset))

const CallMenu = lazyPart(() => import('./around-trace.ts').then(({ CallMenu }) => CallMenu))

const ListSteps = lazyPart(() => import('./list-steps.tsx').then(({ ListSteps }) => ListSteps))

const route = getRouteApi('/$entity/$project/calls/$call')

/** A trace on its timeline, next to one of its spans. */
export function TracePage() {
  const { id: project, ...params } = useProject()
  const { call: id } = route.useParams()
  const { selected = id, tab, view, find = '', list } = route.useSearch()
  const navigate = route.useNavigate()
  const opened = useQuery(callQuery(project, id))
  const chosen = useQuery(callQuery(project, selected))
  const trace = useQuery(traceQuery(project, id))
  const traceId = opened.data?.trace_id
  const marks = useQuery(marksQuery(project, traceId, trace.data?.calls ?? []))
  const usage = useQuery(traceUsageQuery(project, traceId, trace.data?.calls.length ?? 0))
  const parts = useTrace(trace.data, usage.data, selected)
  const { root, roots, threadId, totals, requests } = parts
  const queryMessages = (ids: readonly string[]) => conversationQuery(project, ids)
  const [isAdding, setIsAdding] = useState(false)
  const change = (part: TraceSearch, replace = false) => void navigate({ search: (before) => ({ ...before, ...part }), replace })
  const select = (next: string) => change({ selected: next }, true)
  const tags = useMemo(() => (opened.data ? tagsOfCall(opened.data) : []), [opened.data])
  return (
    <>
      <PageHead
        trail={[
          <Link key="calls" to="/$entity/$project/calls" params={params} search={list ?? {}}>
            Traces
          </Link>,
        ]}
        title={root === undefined ? 'Trace' : readableName(root.name)}
        state={
          <span className="flex items-center gap-1.5 max-lg:hidden">
            {root && <StatusBadge status={root.status} />}
            <TagsOfCall tags={tags} />
          </span>
        }
        actions={
          <>
            <Suspense>{list && <ListSteps call={id} list={list} />}</Suspense>
            {traceId !== undefined && <ShareTrace key={traceId} traceId={traceId} />}
            {chosen.data && (
              <Suspense fallback={<Skeleton className="size-7" />}>
                <CallMenu call={chosen.data} />
              </Suspense>
            )}
            {chosen.data && (
              <Button variant="primary" icon={Database} onClick={() => setIsAdding(true)}>
                Add to dataset
              </Button>
            )}
          </>
        }
      />
      {isAdding && <AddToDataset ids={[selected]} onClose={() => setIsAdding(false)} />}
      {opened.data === null ? (
        <EmptyState
          icon={ListTree}
          title="Trace not found"
          actions={
            <ButtonLink variant="primary" to="/$entity/$project/calls" params={params} search={list ?? {}}>
              Go to traces
            </ButtonLink>
          }
        >
          <p>{`Call ${id} was not found. It may have been deleted.`}</p>
        </EmptyState>
      ) : (
        <TraceLayout
          totals={
            <TraceTotals
              calls={trace.data?.calls}
              hasMore={trace.data?.hasMore === true}
              roots={roots}
              totals={totals}
              scores={root && marks.data?.get(root.id)}
            >
              {opened.data && root && <TraceFacts call={opened.data} threadId={threadId} startedAt={root.startedAt} />}
            </TraceTotals>
          }
          details={
            <CallDetails
              key={selected}
              id={selected}
              tab={tab}
              scores={marks.data?.get(selected)?.length}
              below={callsBelow(parts, { queryMessages, onSelect: select })}
              onTab={(next) => change({ tab: next }, true)}
            />
          }
        >
          <ShowQuery query={trace} what="the calls of the trace" className="p-4">
            {({ calls, hasMore }) => (
              <TraceCalls
                key={id}
                calls={calls}
                roots={roots}
                leftOut={hasMore && traceId !== undefined && <CallsLeftOut traceId={traceId} />}
                marks={marks}
                usage={usage}
                totals={totals}
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
      )}
    </>
  )
}

const tones: Record<CallStatus, Tone> = { success: 'green', error: 'red', running: 'blue', descendant_error: 'amber' }

/** Status of a trace, next to its name. */
const StatusBadge = ({ status }: { status: CallStatus }) => <Badge tone={tones[status]}>{signOfStatus(status).label}</Badge>
