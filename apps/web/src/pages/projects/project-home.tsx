import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { LayoutDashboard, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { useProject } from '../../lib/use-project.ts'
import { ChooseRange } from '../../ui/time/choose-range.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Skeleton } from '../../ui/card.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { HomeCharts } from './home-charts.tsx'
import { hasTracesQuery } from './home-queries.ts'
import { LatestJobs } from './latest-jobs.tsx'
import { LatestRuns } from './latest-runs.tsx'
import { ProjectSummary } from './project-summary.tsx'
import { SlowestOperations } from './slowest-operations.tsx'

const FirstTrace = lazyPart(() => import('./first-trace.tsx').then(({ FirstTrace }) => FirstTrace))

const route = getRouteApi('/$entity/$project/')

/** What happened in a project lately; where nothing did yet, how to send a first trace. */
export function ProjectHome() {
  const params = useProject()
  const { range = '7d' } = route.useSearch()
  const hasTraces = useQuery(hasTracesQuery(params.id))
  const [waitedFor, setWaitedFor] = useState<string>()
  if (hasTraces.data === false && waitedFor !== params.id) setWaitedFor(params.id)
  return (
    <>
      {hasTraces.data === undefined && <PageHead title="Overview" />}
      <ShowQuery query={hasTraces} what="the overview" pending={<PendingOverview />}>
        {(isThere) =>
          isThere ? (
            <Overview range={range} hasJustBegun={waitedFor === params.id} />
          ) : (
            <Suspense fallback={<PendingOverview />}>
              <FirstTrace />
            </Suspense>
          )
        }
      </ShowQuery>
    </>
  )
}

/** As high as its metrics and charts. */
const PendingOverview = () => (
  <div role="status" aria-busy="true" className="grid grid-cols-1 gap-4 lg:grid-cols-2">
    <span className="sr-only">Loading the overview</span>
    <Skeleton className="h-27 rounded-lg lg:col-span-2" />
    {['traces', 'latency', 'cost', 'operations'].map((part) => (
      <Skeleton key={part} className="h-57 rounded-lg" />
    ))}
  </div>
)

function Overview({ range, hasJustBegun }: { range: TimeRange; hasJustBegun: boolean }) {
  const { entity, project } = useProject()
  const navigate = route.useNavigate()
  return (
    <>
      <PageHead
        title="Overview"
        actions={
          <>
            <ChooseRange range={range} onChange={(next) => void navigate({ search: { range: next } })} />
            <ButtonLink icon={LayoutDashboard} to="/$entity/$project/dashboards" params={{ entity, project }}>
              Dashboards
            </ButtonLink>
            <ButtonLink
              variant="primary"
              icon={Plus}
              to="/$entity/$project/evaluations"
              params={{ entity, project }}
              search={{ form: 'new' }}
            >
              New evaluation
            </ButtonLink>
          </>
        }
      />
      {hasJustBegun && <FirstTraceArrived />}
      <ProjectSummary range={range} />
      <div className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-2">
        <HomeCharts range={range} />
        <SlowestOperations range={range} />
        <LatestRuns />
        <LatestJobs />
      </div>
    </>
  )
}

/** Where this page has waited for a trace. */
function FirstTraceArrived() {
  const params = useProject()
  return (
    <Notice
      tone="ok"
      className="mb-4"
      title="The first trace has arrived"
      actions={
        <ButtonLink variant="primary" to="/$entity/$project/calls" params={params}>
          Look at it
        </ButtonLink>
      }
    />
  )
}
