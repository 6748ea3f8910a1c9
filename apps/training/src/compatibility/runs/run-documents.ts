import { formatTimestamp } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { ModelsStore } from '../../resources/models/models-store.ts'
import type { LoggedJob, MetricRunsStore } from '../../resources/training-jobs/metric-runs-store.ts'
import { chooseSteps, countRows, maxRows, type RowRange, toRunRow } from './run-history.ts'

export interface RunDocumentsDeps {
  models: Pick<ModelsStore, 'findByName'>
  runs: MetricRunsStore
}

/** The requested run. */
interface RunName {
  project: ProjectScope
  name: string
}

/**
 * The run of a model, as clients of a tracking service read it. It has the name of the model and, as rows, the gradient steps of its fine-tuning jobs
 * that were created with logging of their metrics. It is read from the events of those jobs, and exists if one of them does.
 */
export interface RunDocuments {
  /** Null when the run does not exist. */
  describe(run: RunName): Promise<Record<string, unknown> | null>
  rows(run: RunName, range: RowRange): Promise<Record<string, unknown>[]>
}

export function createRunDocuments({ models, runs }: RunDocumentsDeps): RunDocuments {
  async function jobsOf({ project, name }: RunName): Promise<LoggedJob[]> {
    const model = await models.findByName(project, name)
    return model ? runs.jobsOf(project, model.id) : []
  }

  async function rowsOf(project: ProjectScope, jobs: readonly LoggedJob[], range: RowRange) {
    const rows = []
    for (const chosen of chooseSteps(jobs, range)) {
      for (const step of await runs.stepsOf(project, chosen.job.id, chosen.numbers)) rows.push(toRunRow(step, chosen))
    }
    return rows
  }

  return {
    async describe(run) {
      const jobs = await jobsOf(run)
      const [oldest] = jobs
      if (!oldest) return null
      const count = countRows(jobs)
      const [last = {}] = await rowsOf(run.project, jobs, { first: count - 1, end: count, samples: 1 })
      const keys = Object.fromEntries(Object.keys(last).map((name) => [name, { typeCounts: [{ type: 'number', count }] }]))
      return {
        ...unusedFields,
        id: run.name,
        name: run.name,
        displayName: run.name,
        state: stateOf(jobs),
        user: toUser(run.project),
        createdAt: formatTimestamp(oldest.createdAt),
        heartbeatAt: formatTimestamp(jobs.at(-1)!.endedAt ?? jobs.at(-1)!.createdAt),
        summaryMetrics: JSON.stringify(last),
        historyLineCount: count,
        historyKeys: { keys, lastStep: count - 1, sets: [] },
        parquetHistory: { parquetUrls: [], liveData: [] },
      }
    },
    rows: async (run, range) => rowsOf(run.project, await jobsOf(run), { ...range, samples: Math.min(range.samples, maxRows) }),
  }
}

/** What clients read of a run, and a run here does not have. */
const unusedFields = {
  tags: [],
  sweepName: null,
  config: '{}',
  group: null,
  jobType: null,
  commit: null,
  readOnly: true,
  description: null,
  notes: null,
  systemMetrics: '{}',
  // Clients want a number.
  projectId: 0,
  logLineCount: 0,
}

/** The entity represents its members. */
function toUser({ id }: ProjectScope) {
  const [entity = ''] = id.split('/')
  return { name: entity, username: entity }
}

function stateOf(jobs: readonly LoggedJob[]): string {
  if (jobs.some(({ status }) => status === 'running' || status === 'queued')) return 'running'
  return jobs.at(-1)!.status === 'succeeded' ? 'finished' : 'failed'
}
