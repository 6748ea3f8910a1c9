import { inParts } from '@heddle/datastore'
import type { Handlers, tracing } from '@heddle/core-api'
import type { Score } from '@heddle/core-api/types'
import { badRequest } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'
import type { TracingContext } from '../../context.ts'
import { presentCall } from '../../domain/evaluation-calls/evaluation-request.ts'
import { firstText, marksOf, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import { scoreCallKind, type ScoreCallPayload } from './score-call.ts'
import { createRecordScore, type RecordScoreDeps } from './record-score.ts'

const listed = new Set(['attributes', 'output'] as const)

export interface ScoresDeps extends RecordScoreDeps {
  jobs: Jobs
  providers: ModelProviders
}

/** Jobs that are enqueued as one step. */
const jobsAtOnce = 1_000

/** Operations on scores. */
export function scoresHandlers(deps: ScoresDeps): Handlers<(typeof tracing)['scores'], TracingContext> {
  const { calls } = deps
  const recordScore = createRecordScore(deps)

  const toScore = async (project: ProjectScope, call: CallColumns): Promise<Score> => ({
    score_id: call.id,
    scorer: firstText(marksOf(call)['scorer']) ?? '',
    value: outputOf(call),
    evaluation_run_id: await calls.runIdOf(project, call),
    wb_user_id: call.wb_user_id || null,
  })

  return {
    async create({ entity, project, ...draft }, context) {
      const request = await calls.open({ entity, project }, context)
      return { score_id: await recordScore(request, draft) }
    },

    async scoreCalls({ project_id, call_ids, scorer_refs }, context) {
      if (!deps.providers.hasAny) throw badRequest('no model provider is configured, so this server cannot score calls')
      const project = await context.open(project_id)
      const user_id = context.caller.userId
      const payloads = call_ids.flatMap((call_id) => scorer_refs.map((scorer_ref): ScoreCallPayload => ({ call_id, scorer_ref, user_id })))
      for (const some of inParts(payloads, jobsAtOnce)) {
        await deps.jobs.enqueueAll(
          project,
          some.map((payload) => ({ kind: scoreCallKind, payload })),
        )
      }
      return {}
    },

    async list({ evaluation_run_id, limit, offset, ...place }, context) {
      const request = await calls.open(place, context)
      const where = { 'attributes.weave.score': 'true', 'attributes.weave.evaluation_run_id': evaluation_run_id }
      const found = await calls.list(request, { where, limit, offset }, listed)
      return (async function* () {
        for await (const call of found) yield await toScore(request.project, call)
      })()
    },

    async read({ score_id, ...place }, context) {
      const request = await calls.open(place, context)
      return toScore(request.project, await presentCall(request, await calls.read(request.project, score_id, 'Score')))
    },

    async delete({ score_ids, ...place }, context) {
      const { project } = await calls.open(place, context)
      await calls.deleteCalls(project, score_ids)
      return { num_deleted: score_ids.length }
    },
  }
}
