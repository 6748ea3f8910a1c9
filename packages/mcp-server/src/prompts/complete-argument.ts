import { runCallColumns } from '@heddle/evaluations'
import { evaluateOpNames } from '@heddle/trace-model'
import { documents } from '../resources/documents.ts'
import type { Services } from '../connection/connect-services.ts'
import { toListedRun } from '../tools/evals/evaluation-calls.ts'
import { headlineScores } from '../tools/evals/headline-scores.ts'
import { parseProject, type ProjectName } from '../tools/tool-context.ts'

export interface Completing extends Services {
  /** Default project of the server. */
  defaultProject: string | undefined
  signal: AbortSignal
}

const maxSeen = 50

interface Candidate {
  id: string
  /** The name that users know it by. */
  name: string
}

/** Values for an argument that begin with the typed text, or whose names do: from the newest 50. Empty when none are known. */
export async function completeArgument(
  name: string,
  typed: string,
  given: Readonly<Record<string, string>>,
  completing: Completing,
): Promise<string[]> {
  const project = projectOf(given, completing.defaultProject)
  const known = await read(name, { typed, given, project, completing })
  const wanted = typed.toLowerCase()
  const matches = (text: string) => text.toLowerCase().startsWith(wanted)
  const byName = known.filter((one) => matches(one.name))
  return [...new Set([...byName, ...known.filter(({ id }) => matches(id))].map(({ id }) => id))].slice(0, maxSeen)
}

function projectOf({ project, entity }: Readonly<Record<string, string>>, fallback: string | undefined): ProjectName | undefined {
  const text = project !== undefined && entity !== undefined ? `${entity}/${project}` : (project ?? fallback)
  try {
    return parseProject(text)
  } catch {
    return undefined
  }
}

interface CompletionQuery {
  typed: string
  given: Readonly<Record<string, string>>
  project: ProjectName | undefined
  completing: Completing
}

async function read(name: string, { typed, given, project, completing }: CompletionQuery): Promise<Candidate[]> {
  if (name === 'project' || name === 'entity') return readProjects(name, { typed, entity: given['entity'] }, completing)
  if (name === 'page') return Object.keys(documents).map((page) => ({ id: page, name: page }))
  if (!project) return []
  if (['evaluation_id', 'baseline', 'candidate'].includes(name)) return readRuns(project, completing)
  if (name === 'scorer') return readScores(project, completing)
  if (name === 'model_id') return readModels(project, completing)
  return name === 'job_id' ? readJobs(project, completing) : []
}

/** The default project first. In URIs of resources entity and project are two arguments; in prompts `project` is both. */
async function readProjects(
  name: 'entity' | 'project',
  { typed, entity }: { typed: string; entity: string | undefined },
  { tracing, defaultProject, signal }: Completing,
): Promise<Candidate[]> {
  const contains = name === 'project' && entity !== undefined ? `${entity}/${typed}` : typed
  const { projects } = await tracing.projects.query({ contains, limit: maxSeen }, { signal })
  const ids = [...(defaultProject === undefined ? [] : [defaultProject]), ...projects.map(({ id }) => id)]
  return ids.flatMap((id) => {
    const [owner = '', own = ''] = id.split('/')
    if (name === 'entity') return [{ id: owner, name: owner }]
    if (entity === undefined) return [{ id, name: own }]
    return owner === entity ? [{ id: own, name: own }] : []
  })
}

async function readRuns({ id }: ProjectName, { tracing, signal }: Completing): Promise<Candidate[]> {
  const runs: Candidate[] = []
  const query = {
    project_id: id,
    filter: { op_names: evaluateOpNames(id) },
    columns: runCallColumns,
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    limit: maxSeen,
  }
  for await (const call of tracing.calls.streamQuery(query, { signal })) {
    const { evaluation_call_id, name } = toListedRun(call)
    runs.push({ id: evaluation_call_id, name })
  }
  return runs
}

async function readScores(project: ProjectName, completing: Completing): Promise<Candidate[]> {
  const runs = (await readRuns(project, completing)).slice(0, 5)
  if (runs.length === 0) return []
  const query = {
    entity: project.entity,
    project: project.project,
    evaluation_call_ids: runs.map(({ id }) => id),
    include_rows: false,
    include_summary: true,
  }
  const { summary } = await completing.tracing.evalResults.query(query, { signal: completing.signal })
  return [...new Set(summary?.evaluations.flatMap((one) => Object.keys(headlineScores(one))))].map((name) => ({ id: name, name }))
}

async function readModels({ entity, project }: ProjectName, { training, signal }: Completing): Promise<Candidate[]> {
  const { data } = await training.models.list({ entity, project, limit: maxSeen }, { signal })
  return data.map(({ id, name }) => ({ id, name }))
}

async function readJobs(project: ProjectName, completing: Completing): Promise<Candidate[]> {
  const { training, signal } = completing
  const models = (await readModels(project, completing)).slice(0, 10)
  const pages = await Promise.all(models.map(({ id }) => training.trainingJobs.list({ model_id: id, limit: 10 }, { signal })))
  return pages.flatMap(({ data }, at) => data.map(({ id }) => ({ id, name: models[at]?.name ?? '' })))
}
