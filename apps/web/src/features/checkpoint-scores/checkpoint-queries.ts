import { parseRef } from '@heddle/core-api'
import { type RunCall, toEvaluationRun } from '@heddle/evaluations'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { listRefreshMs, maxRuns, readRunCalls } from '../evaluations/evaluation-queries.ts'
import { latencyOfRun } from '../evaluations/run-latency.ts'
import { type TrainedName, stepOfModel } from './checkpoint-of-model.ts'
import { type CheckpointRun, evaluationOf } from './checkpoint-runs.ts'
import { findScorerOfProgram, scorersOf } from './runs-on-server.ts'
import { newestObjects } from '../../lib/server/newest-objects.ts'

const maxEvaluations = 100
/** Most scorers to look up; further ones are assumed to run on the server. */
const maxScorerNames = 100
const maxScorerVersions = 500
/** Most models named by the newest runs, newest first. */
const maxModelVersions = 1_000

/** The latest version of each evaluation of a project, the newest first, with the scorer for which the server cannot run it. */
export const evaluationsQuery = (place: ProjectName) =>
  queryOptions({
    queryKey: ['evaluations', place.id],
    queryFn: async ({ signal }) => {
      const wanted = { project_id: place.id, objectClass: 'Evaluation', most: maxEvaluations }
      const { objects: shown, hasMore } = await newestObjects(client, wanted, signal)
      const scorers = await readScorers(
        place,
        shown.flatMap(({ val }) => scorersOf(val)),
        signal,
      )
      const evaluations = shown.map(({ object_id: name, digest, val }) => ({
        name,
        ref: refOf(place, name, digest),
        dataset: datasetOf(val),
        isSingle: isSingle(val),
        scorerOfProgram: findScorerOfProgram(val, scorers),
      }))
      return { evaluations, hasMore }
    },
  })

/** Whether an evaluation has one trial per row, which is the default. */
const isSingle = (evaluation: unknown) => [undefined, null, 1].includes((Object(evaluation) as { trials?: never }).trials)

/** Reference to the dataset of an evaluation; empty where it names none. */
function datasetOf(evaluation: unknown): string {
  const { dataset } = Object(evaluation) as { dataset?: unknown }
  return typeof dataset === 'string' ? dataset : ''
}

const newestFirst = [{ field: 'created_at', direction: 'desc' as const }]
const refOf = ({ entity, project }: ProjectName, name: string, digest: string) => `weave:///${entity}/${project}/object/${name}:${digest}`

/** Values of the scorers of this project, by their references; deleted ones are missing. */
async function readScorers(place: ProjectName, refs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, unknown>> {
  const names = refs.flatMap((ref) => {
    const parsed = parseRef(ref)
    return parsed?.kind === 'object' && `${parsed.entity}/${parsed.project}` === place.id ? [parsed.name] : []
  })
  const object_ids = [...new Set(names)].slice(0, maxScorerNames)
  if (object_ids.length === 0) return new Map()
  const query = { project_id: place.id, filter: { object_ids, is_op: false }, sort_by: newestFirst, limit: maxScorerVersions }
  const { objs } = await client.objects.query(query, { signal })
  return new Map(objs.map(({ object_id, digest, val }) => [refOf(place, object_id, digest), val]))
}

/** The columns that the first row of an evaluation's dataset has. */
export const columnsQuery = ({ id: project_id }: ProjectName, evaluation: string) =>
  queryOptions({
    queryKey: ['evaluation-columns', project_id, evaluation],
    enabled: evaluation !== '',
    queryFn: async ({ signal }): Promise<string[]> => {
      const { vals } = await client.refs.readBatch({ refs: [`${evaluation}/attr/dataset/attr/rows`] }, { signal })
      const digest = typeof vals[0] === 'string' ? vals[0].split('/').at(-1) : undefined
      if (digest === undefined) return []
      const { rows } = await client.tables.query({ project_id, digest, limit: 1 }, { signal })
      const first: unknown = rows[0]?.val
      return typeof first === 'object' && first !== null ? Object.keys(first) : []
    },
  })

/** Begins the keys of the runs on checkpoints of any model. */
export const checkpointRunsKey = (project_id: string) => ['checkpoint-runs', project_id] as const

/** The runs on checkpoints of a trained model among the newest evaluation runs of the project, the newest first. */
export const checkpointRunsQuery = (project: ProjectName, trained: TrainedName) =>
  queryOptions({
    queryKey: [...checkpointRunsKey(project.id), trained.name],
    queryFn: ({ signal }) => readRunsOnSteps(project, (model) => stepOfModel(model, trained), signal),
    refetchInterval: ({ state }) => (state.data?.runs.some(({ status }) => status === 'running') ? listRefreshMs : false),
  })

/** The newest evaluation runs of models with a step, the newest first. `stepOf` is given the value of a model. */
export async function readRunsOnSteps(project: ProjectName, stepOf: (model: unknown) => number | undefined, signal: AbortSignal) {
  const calls = await readRunCalls(project, signal)
  const newest = calls.slice(0, maxRuns)
  const names = [...new Set(newest.flatMap((call) => modelOf(call, project)?.name ?? []))]
  const steps = await stepsOfModels(project, names, stepOf, signal)
  const runs = newest.flatMap((call): CheckpointRun[] => {
    const model = modelOf(call, project)
    const step = model && steps.get(`${model.name}:${model.digest}`)
    return step === undefined
      ? []
      : [{ ...toEvaluationRun(call), step, evaluation: evaluationOf(call.inputs), latency_seconds: latencyOfRun(call) }]
  })
  return { runs, hasMore: calls.length > maxRuns }
}

/** Steps of the versions of these models that have one, by name and digest. */
async function stepsOfModels(
  { id: project_id }: ProjectName,
  object_ids: string[],
  stepOf: (model: unknown) => number | undefined,
  signal: AbortSignal,
) {
  const steps = new Map<string, number>()
  if (object_ids.length === 0) return steps
  const query = { project_id, filter: { object_ids, is_op: false }, sort_by: newestFirst, limit: maxModelVersions }
  for (const { object_id, digest, val } of (await client.objects.query(query, { signal })).objs) {
    const step = stepOf(val)
    if (step !== undefined) steps.set(`${object_id}:${digest}`, step)
  }
  return steps
}

/** The stored model that a run is of; undefined where it names none of this project. */
function modelOf({ inputs: { model } }: RunCall, { id }: ProjectName) {
  const ref = typeof model === 'string' && model.startsWith(`weave:///${id}/`) ? parseRef(model) : undefined
  return ref?.kind === 'object' ? ref : undefined
}
