import type { Services } from '../server/connect-services.ts'
import { evaluateOps, runColumns, toListedRun } from '../tools/evals/evaluation-calls.ts'
import { headlineScores } from '../tools/evals/headline-scores.ts'
import { parseProject, type ProjectName } from '../tools/tool-context.ts'

export interface Completing extends Services {
  /** Of the server. */
  defaultProject: string | undefined
  signal: AbortSignal
}

const maxSeen = 50

interface Named {
  id: string
  /** What a person knows it by. */
  name: string
}

/** Values for an argument that begin with what was typed, or are named so: from the last 50. Empty where nothing is known. */
export async function completeArgument(
  name: string,
  typed: string,
  given: Readonly<Record<string, string>>,
  completing: Completing,
): Promise<string[]> {
  const project = projectOf(given, completing.defaultProject)
  const known = await read(name, project, completing)
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

async function read(name: string, project: ProjectName | undefined, completing: Completing): Promise<Named[]> {
  if (name === 'project')
    return completing.defaultProject === undefined ? [] : [{ id: completing.defaultProject, name: completing.defaultProject }]
  if (!project) return []
  if (['evaluation_id', 'baseline', 'candidate'].includes(name)) return readRuns(project, completing)
  if (name === 'scorer') return readScores(project, completing)
  if (name === 'model_id') return readModels(project, completing)
  return name === 'job_id' ? readJobs(project, completing) : []
}

async function readRuns({ id }: ProjectName, { tracing, signal }: Completing): Promise<Named[]> {
  const runs: Named[] = []
  const query = {
    project_id: id,
    filter: { op_names: evaluateOps(id) },
    columns: runColumns,
    sort_by: [{ field: 'started_at', direction: 'desc' as const }],
    limit: maxSeen,
  }
  for await (const call of tracing.calls.streamQuery(query, { signal })) {
    const { evaluation_call_id, name } = toListedRun(call)
    runs.push({ id: evaluation_call_id, name })
  }
  return runs
}

async function readScores(project: ProjectName, completing: Completing): Promise<Named[]> {
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

async function readModels({ entity, project }: ProjectName, { training, signal }: Completing): Promise<Named[]> {
  const { data } = await training.models.list({ entity, project, limit: maxSeen }, { signal })
  return data.map(({ id, name }) => ({ id, name }))
}

async function readJobs(project: ProjectName, completing: Completing): Promise<Named[]> {
  const { training, signal } = completing
  const models = (await readModels(project, completing)).slice(0, 10)
  const pages = await Promise.all(models.map(({ id }) => training.trainingJobs.list({ model_id: id, limit: 10 }, { signal })))
  return pages.flatMap(({ data }, at) => data.map(({ id }) => ({ id, name: models[at]?.name ?? '' })))
}
