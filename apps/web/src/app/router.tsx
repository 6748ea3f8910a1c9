import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, defaultStringifySearch, Outlet, redirect } from '@tanstack/react-router'
import { type SettingsPart, settingsParts } from '../pages/settings/settings-parts.ts'
import { type LoadRange, loadRanges } from '../pages/status/load-ranges.ts'
import { callsSearch } from '../features/calls/calls-search.ts'
import { comparedSearch } from '../pages/compare-traces/compared-search.ts'
import { costsSearch } from '../features/costs/costs-search.ts'
import { feedbackSearch } from '../pages/feedback/feedback-search.ts'
import { playgroundSearch } from '../pages/playground/playground-search.ts'
import { sharedSearch } from '../pages/shared-traces/shared-search.ts'
import { startSearch } from '../pages/start-training/start-search.ts'
import { threadsSearch } from '../pages/threads/threads-search.ts'
import { readCallsAhead } from '../pages/calls/read-ahead.ts'
import { readTraceAhead } from '../pages/trace/read-ahead.ts'
import { traceSearch } from '../pages/trace/trace-search.ts'
import { dashboardSearch, dashboardsSearch } from '../pages/dashboards/dashboard-search.ts'
import { type DatasetTab, datasetTabs } from '../pages/datasets/dataset-tabs.ts'
import { type ObjectTab, objectTabs } from '../pages/library/object-tabs.ts'
import { type ItemFilter, itemFilters } from '../features/queues/item-filters.ts'
import { type QueueTab, queueTabs } from '../pages/queues/queue-tabs.ts'
import { addressOf, basePath } from '../lib/server/base-path.ts'
import { createQueries } from './create-queries.ts'
import { lazyPage } from './lazy-page.ts'
import { NotFound, PageError } from '../ui/states/page-error.tsx'
import { restoresScroll } from './restores-scroll.ts'
import { countOf, textOf, wordOf } from '../lib/search.ts'
import { Shell } from './shell/shell.tsx'
import { type TimeRange, timeRanges } from '../lib/time/time-range.ts'
import { groupSearch, jobSearch, jobsSearch, loggedSearch, modelSearch } from '../features/training/training-search.ts'
import { comparisonSearch, runSearch, runsSearch } from '../pages/evaluations/comparison-search.ts'

/** Digests of the version shown, and of the version it is compared with. */
interface VersionSearch {
  version?: string | undefined
  against?: string | undefined
}
interface ObjectSearch extends VersionSearch {
  tab?: ObjectTab | undefined
}
interface DatasetSearch extends VersionSearch {
  tab?: DatasetTab | undefined
  /** Index of the row that is shown in full, from 0. */
  row?: number | undefined
  /** Only rows with this text in their values. */
  find?: string | undefined
}
interface ItemSearch {
  /** Which items are listed and paged through. */
  state?: ItemFilter | undefined
}
interface QueueSearch extends ItemSearch {
  tab?: QueueTab | undefined
}

const readVersions = (search: Record<string, unknown>): VersionSearch => ({
  version: textOf(search, 'version'),
  against: textOf(search, 'against'),
})

const readItemFilter = (search: Record<string, unknown>): ItemSearch => ({ state: wordOf(search, 'state', itemFilters) })

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Begins to read data of the page that is opened first, before its code is requested: a browser sends few requests at once. */
    readAhead?: (cache: QueryClient, opened: { search: Record<string, unknown>; project: string }) => Promise<void>
  }
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Shell, notFoundComponent: NotFound })

const projects = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { contains?: string | undefined } => ({ contains: textOf(search, 'contains') }),
  component: lazyPage(() => import('../pages/projects/projects-page.tsx'), 'ProjectsPage'),
})
const project = createRoute({ getParentRoute: () => root, path: '/$entity/$project', component: Outlet })
const home = createRoute({
  getParentRoute: () => project,
  path: '/',
  validateSearch: (search: Record<string, unknown>): { range?: TimeRange | undefined } => ({ range: wordOf(search, 'range', timeRanges) }),
  component: lazyPage(() => import('../pages/projects/project-home.tsx'), 'ProjectHome'),
})
const calls = createRoute({
  getParentRoute: () => project,
  path: 'calls',
  validateSearch: callsSearch,
  staticData: {
    readAhead: (cache, opened) => readCallsAhead(cache, opened.project, callsSearch(opened.search)),
  },
  component: lazyPage(() => import('../pages/calls/calls-page.tsx'), 'CallsPage'),
})
const trace = createRoute({
  getParentRoute: () => project,
  path: 'calls/$call',
  validateSearch: traceSearch,
  loader: ({ context: { queries }, params: { entity, project: name, call } }) => {
    // The page does not wait for it: it renders the data as it arrives.
    readTraceAhead(queries, `${entity}/${name}`, call).catch(() => undefined)
  },
  // Once for a call: not again for each step in its tree.
  staleTime: Number.POSITIVE_INFINITY,
  component: lazyPage(() => import('../pages/trace/trace-page.tsx'), 'TracePage'),
})
const compareTraces = createRoute({
  getParentRoute: () => project,
  path: 'calls/compare',
  validateSearch: comparedSearch,
  component: lazyPage(() => import('../pages/compare-traces/compare-traces-page.tsx'), 'CompareTracesPage'),
})
/** The list remains next to the open thread. */
const threads = createRoute({
  getParentRoute: () => project,
  path: 'threads',
  validateSearch: threadsSearch,
  component: lazyPage(() => import('../pages/threads/threads-page.tsx'), 'ThreadsPage'),
})
const newestThread = createRoute({
  getParentRoute: () => threads,
  path: '/',
  component: lazyPage(() => import('../pages/threads/thread-page.tsx'), 'FirstThreadPage'),
})
const thread = createRoute({
  getParentRoute: () => threads,
  path: '$thread',
  component: lazyPage(() => import('../pages/threads/thread-page.tsx'), 'ThreadPage'),
})
const feedback = createRoute({
  getParentRoute: () => project,
  path: 'feedback',
  validateSearch: feedbackSearch,
  component: lazyPage(() => import('../pages/feedback/feedback-page.tsx'), 'FeedbackPage'),
})
const costs = createRoute({
  getParentRoute: () => project,
  path: 'costs',
  validateSearch: costsSearch,
  component: lazyPage(() => import('../pages/costs/costs-page.tsx'), 'CostsPage'),
})
const dashboards = createRoute({
  getParentRoute: () => project,
  path: 'dashboards',
  validateSearch: dashboardsSearch,
  component: lazyPage(() => import('../pages/dashboards/dashboards-page.tsx'), 'DashboardsPage'),
})
const dashboard = createRoute({
  getParentRoute: () => project,
  path: 'dashboards/$dashboard',
  validateSearch: dashboardSearch,
  component: lazyPage(() => import('../pages/dashboards/dashboard-page.tsx'), 'DashboardPage'),
})
/** Addresses that clients print for a call. */
const printedCall = createRoute({
  getParentRoute: () => project,
  path: 'r/call/$call',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$entity/$project/calls/$call', params, replace: true })
  },
})
/** Other addresses that clients print. */
const printed = createRoute({
  getParentRoute: () => project,
  path: 'weave/$',
  validateSearch: (search: Record<string, unknown>) => search,
  beforeLoad: async ({ params: { entity, project: name, _splat = '' }, search }) => {
    const { pageOfPrinted } = await import('./page-of-printed.ts')
    const target = pageOfPrinted(_splat, search)
    const path = [entity, name, ...target.path.split('/')].map(encodeURIComponent).join('/')
    throw redirect({ href: addressOf(`/${path}${defaultStringifySearch(target.search ?? {})}`), replace: true })
  },
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyPage(() => import('../pages/sign-in/sign-in-link-page.tsx'), 'SignInLinkPage'),
})

const shared = createRoute({
  getParentRoute: () => root,
  path: '/shared',
  validateSearch: sharedSearch,
  component: lazyPage(() => import('../pages/shared-traces/shared-trace-page.tsx'), 'SharedTracePage'),
})
const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  validateSearch: (search: Record<string, unknown>): { range?: LoadRange | undefined } => ({ range: wordOf(search, 'range', loadRanges) }),
  component: lazyPage(() => import('../pages/status/status-page.tsx'), 'StatusPage'),
})
const datasets = createRoute({
  getParentRoute: () => project,
  path: 'datasets',
  component: lazyPage(() => import('../pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
})
const dataset = createRoute({
  getParentRoute: () => project,
  path: 'datasets/$object',
  validateSearch: (search: Record<string, unknown>): DatasetSearch => ({
    ...readVersions(search),
    tab: wordOf(search, 'tab', datasetTabs),
    row: countOf(search, 'row'),
    find: textOf(search, 'find'),
  }),
  component: lazyPage(() => import('../pages/datasets/dataset-page.tsx'), 'DatasetPage'),
})
const queues = createRoute({
  getParentRoute: () => project,
  path: 'queues',
  component: lazyPage(() => import('../pages/queues/queues-page.tsx'), 'QueuesPage'),
})
const queue = createRoute({
  getParentRoute: () => project,
  path: 'queues/$queue',
  validateSearch: (search: Record<string, unknown>): QueueSearch => ({
    ...readItemFilter(search),
    tab: wordOf(search, 'tab', queueTabs),
  }),
  component: lazyPage(() => import('../pages/queues/queue-page.tsx'), 'QueuePage'),
})
const annotate = createRoute({
  getParentRoute: () => project,
  path: 'queues/$queue/annotate/$item',
  validateSearch: readItemFilter,
  component: lazyPage(() => import('../pages/annotate/annotate-page.tsx'), 'AnnotatePage'),
})
const playground = createRoute({
  getParentRoute: () => project,
  path: 'playground',
  validateSearch: playgroundSearch,
  component: lazyPage(() => import('../pages/playground/playground-page.tsx'), 'PlaygroundPage'),
})
const registry = createRoute({
  getParentRoute: () => project,
  path: 'registry',
  component: lazyPage(() => import('../pages/registry/registry-page.tsx'), 'RegistryPage'),
})
const settings = createRoute({
  getParentRoute: () => project,
  path: 'settings',
  validateSearch: (search: Record<string, unknown>): { part?: SettingsPart | undefined } => ({
    part: wordOf(search, 'part', settingsParts),
  }),
  component: lazyPage(() => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
})
const library = createRoute({
  getParentRoute: () => project,
  path: '$kind',
  component: lazyPage(() => import('../pages/library/library-page.tsx'), 'LibraryPage'),
})
const libraryObject = createRoute({
  getParentRoute: () => project,
  path: '$kind/$object',
  validateSearch: (search: Record<string, unknown>): ObjectSearch => ({
    ...readVersions(search),
    tab: wordOf(search, 'tab', objectTabs),
  }),
  component: lazyPage(() => import('../pages/library/object-page.tsx'), 'ObjectPage'),
})
const evaluations = createRoute({
  getParentRoute: () => project,
  path: 'evaluations',
  validateSearch: runsSearch,
  component: lazyPage(() => import('../pages/evaluations/runs-page.tsx'), 'RunsPage'),
})
const evaluationRun = createRoute({
  getParentRoute: () => project,
  path: 'evaluations/runs/$run',
  validateSearch: runSearch,
  component: lazyPage(() => import('../pages/evaluations/run-page.tsx'), 'RunPage'),
})
const comparison = createRoute({
  getParentRoute: () => project,
  path: 'evaluations/compare',
  validateSearch: comparisonSearch,
  component: lazyPage(() => import('../pages/evaluations/compare-page.tsx'), 'ComparePage'),
})
const trainingJobs = createRoute({
  getParentRoute: () => project,
  path: 'training/jobs',
  validateSearch: jobsSearch,
  component: lazyPage(() => import('../pages/training/jobs-page.tsx'), 'JobsPage'),
})
const trainedModels = createRoute({
  getParentRoute: () => project,
  path: 'training/models',
  component: lazyPage(() => import('../pages/training/models-page.tsx'), 'ModelsPage'),
})
const startTraining = createRoute({
  getParentRoute: () => project,
  path: 'training/start',
  validateSearch: startSearch,
  component: lazyPage(() => import('../pages/start-training/start-training-page.tsx'), 'StartTrainingPage'),
})
const trainingJob = createRoute({
  getParentRoute: () => project,
  path: 'training/jobs/$job',
  validateSearch: jobSearch,
  component: lazyPage(() => import('../pages/training/job-page.tsx'), 'JobPage'),
})
const jobGroup = createRoute({
  getParentRoute: () => project,
  path: 'training/jobs/$job/groups/$group',
  validateSearch: groupSearch,
  component: lazyPage(() => import('../pages/trajectories/job-group-page.tsx'), 'JobGroupPage'),
})
const loggedTrajectories = createRoute({
  getParentRoute: () => project,
  path: 'training/models/$model/trajectories',
  validateSearch: loggedSearch,
  component: lazyPage(() => import('../pages/trajectories/logged-page.tsx'), 'LoggedPage'),
})
const trainedModel = createRoute({
  getParentRoute: () => project,
  path: 'training/models/$model',
  validateSearch: modelSearch,
  component: lazyPage(() => import('../pages/training/model-page.tsx'), 'ModelPage'),
})

const routeTree = root.addChildren([
  projects,
  signIn,
  shared,
  status,
  project.addChildren([
    home,
    calls,
    trace,
    compareTraces,
    threads.addChildren([newestThread, thread]),
    feedback,
    costs,
    dashboards,
    dashboard,
    printedCall,
    printed,
    evaluations,
    evaluationRun,
    comparison,
    trainingJobs,
    trainedModels,
    startTraining,
    trainingJob,
    trainedModel,
    jobGroup,
    loggedTrajectories,
    datasets,
    dataset,
    queues,
    queue,
    annotate,
    playground,
    registry,
    settings,
    library,
    libraryObject,
  ]),
])

export const queries = createQueries()
export const router = createRouter({
  routeTree,
  ...(basePath !== '' && { basepath: basePath }),
  context: { queries },
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: restoresScroll(),
  scrollToTopSelectors: ['#page-body'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
