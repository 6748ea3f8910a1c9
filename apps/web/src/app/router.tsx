import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  defaultStringifySearch,
  Outlet,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router'
import { settingsParts } from '../pages/settings/settings-parts.ts'
import { loadRanges } from '../pages/status/load-ranges.ts'
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
import { datasetTabs } from '../pages/datasets/dataset-tabs.ts'
import { objectTabs } from '../pages/library/object-tabs.ts'
import { itemFilters } from '../features/queues/item-filters.ts'
import { queueTabs } from '../pages/queues/queue-tabs.ts'
import { addressOf, basePath } from '../lib/server/base-path.ts'
import { createQueries } from './create-queries.ts'
import { lazyPage } from './lazy-page.ts'
import { NotFound, PageError } from '../ui/states/page-error.tsx'
import { restoresScroll } from './restores-scroll.ts'
import { Shell } from './shell/shell.tsx'
import { timeRanges } from '../lib/time/time-range.ts'
import { groupSearch, jobSearch, jobsSearch, loggedSearch, modelSearch } from '../features/training/training-search.ts'
import { comparisonSearch, runSearch, runsSearch } from '../pages/evaluations/comparison-search.ts'
import { count, searchOf, text, word } from '../lib/search.ts'

/** Digests of the version shown, and of the version it is compared with. */
const versionParams = { version: text, against: text }
/** Which items are listed and paged through. */
const itemParams = { state: word(...itemFilters) }

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
  validateSearch: searchOf({ contains: text }),
  component: lazyPage(() => import('../pages/projects/projects-page.tsx'), 'ProjectsPage'),
})
const project = createRoute({ getParentRoute: () => root, path: '/$entity/$project', component: Outlet })

/** A page of a project. */
const page = <const Path extends string, Module extends object, Search extends object = object>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module & string,
  validateSearch?: (search: Record<string, unknown>) => Search,
) =>
  createRoute({
    getParentRoute: () => project,
    path,
    // Cast, because the types of a page's components depend on the type of the routes.
    component: lazyPage(load as () => Promise<Record<string, RouteComponent>>, name),
    // A page without parameters has no function here, and an empty object as its search.
    validateSearch: validateSearch as (search: Record<string, unknown>) => Search,
  })

const home = page('/', () => import('../pages/projects/project-home.tsx'), 'ProjectHome', searchOf({ range: word(...timeRanges) }))
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
const compareTraces = page(
  'calls/compare',
  () => import('../pages/compare-traces/compare-traces-page.tsx'),
  'CompareTracesPage',
  comparedSearch,
)
/** The list remains next to the open thread. */
const threads = page('threads', () => import('../pages/threads/threads-page.tsx'), 'ThreadsPage', threadsSearch)
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
const feedback = page('feedback', () => import('../pages/feedback/feedback-page.tsx'), 'FeedbackPage', feedbackSearch)
const costs = page('costs', () => import('../pages/costs/costs-page.tsx'), 'CostsPage', costsSearch)
const dashboards = page('dashboards', () => import('../pages/dashboards/dashboards-page.tsx'), 'DashboardsPage', dashboardsSearch)
const dashboard = page('dashboards/$dashboard', () => import('../pages/dashboards/dashboard-page.tsx'), 'DashboardPage', dashboardSearch)
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
  validateSearch: searchOf({ range: word(...loadRanges) }),
  component: lazyPage(() => import('../pages/status/status-page.tsx'), 'StatusPage'),
})
const datasets = page('datasets', () => import('../pages/datasets/datasets-page.tsx'), 'DatasetsPage')
const dataset = page(
  'datasets/$object',
  () => import('../pages/datasets/dataset-page.tsx'),
  'DatasetPage',
  searchOf({
    ...versionParams,
    tab: word(...datasetTabs),
    /** Index of the row that is shown in full, from 0. */
    row: count,
    /** Only rows with this text in their values. */
    find: text,
  }),
)
const queues = page('queues', () => import('../pages/queues/queues-page.tsx'), 'QueuesPage')
const queue = page(
  'queues/$queue',
  () => import('../pages/queues/queue-page.tsx'),
  'QueuePage',
  searchOf({ ...itemParams, tab: word(...queueTabs) }),
)
const annotate = page(
  'queues/$queue/annotate/$item',
  () => import('../pages/annotate/annotate-page.tsx'),
  'AnnotatePage',
  searchOf(itemParams),
)
const playground = page('playground', () => import('../pages/playground/playground-page.tsx'), 'PlaygroundPage', playgroundSearch)
const registry = page('registry', () => import('../pages/registry/registry-page.tsx'), 'RegistryPage')
const settings = page(
  'settings',
  () => import('../pages/settings/settings-page.tsx'),
  'SettingsPage',
  searchOf({ part: word(...settingsParts) }),
)
const library = page('$kind', () => import('../pages/library/library-page.tsx'), 'LibraryPage')
const libraryObject = page(
  '$kind/$object',
  () => import('../pages/library/object-page.tsx'),
  'ObjectPage',
  searchOf({ ...versionParams, tab: word(...objectTabs) }),
)
const evaluations = page('evaluations', () => import('../pages/evaluations/runs-page.tsx'), 'RunsPage', runsSearch)
const evaluationRun = page('evaluations/runs/$run', () => import('../pages/evaluations/run-page.tsx'), 'RunPage', runSearch)
const comparison = page('evaluations/compare', () => import('../pages/evaluations/compare-page.tsx'), 'ComparePage', comparisonSearch)
const trainingJobs = page('training/jobs', () => import('../pages/training/jobs-page.tsx'), 'JobsPage', jobsSearch)
const trainedModels = page('training/models', () => import('../pages/training/models-page.tsx'), 'ModelsPage')
const startTraining = page(
  'training/start',
  () => import('../pages/start-training/start-training-page.tsx'),
  'StartTrainingPage',
  startSearch,
)
const trainingJob = page('training/jobs/$job', () => import('../pages/training/job-page.tsx'), 'JobPage', jobSearch)
const jobGroup = page(
  'training/jobs/$job/groups/$group',
  () => import('../pages/trajectories/job-group-page.tsx'),
  'JobGroupPage',
  groupSearch,
)
const loggedTrajectories = page(
  'training/models/$model/trajectories',
  () => import('../pages/trajectories/logged-page.tsx'),
  'LoggedPage',
  loggedSearch,
)
const trainedModel = page('training/models/$model', () => import('../pages/training/model-page.tsx'), 'ModelPage', modelSearch)

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
