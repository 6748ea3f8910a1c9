import type { Handlers, tracing } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { Jobs } from '@heddle/jobs'
import type { TracingContext } from '../../context.ts'
import type { ModelProviders } from '../../providers/model-providers.ts'
import { createReadEvaluationStatus, type EvaluationStatusDeps } from './evaluation-status.ts'
import type { RunPayload } from './run/run-evaluation.ts'

/** Jobs that run evaluations. */
export const runEvaluationKind = 'run_evaluation'
/** Starts of one run, those counted that a crash ended. */
const maxAttempts = 5

export interface EvaluationJobsDeps extends EvaluationStatusDeps {
  jobs: Jobs
  providers: ModelProviders
}

/** Operations that run evaluations on the server, and report the progress of runs. */
export function evaluationJobsHandlers(
  deps: EvaluationJobsDeps,
): Handlers<Pick<typeof tracing.evaluations, 'evaluateModel' | 'status'>, TracingContext> {
  const readStatus = createReadEvaluationStatus(deps)
  return {
    async evaluateModel({ project_id, evaluation_ref, model_ref }, context) {
      if (!deps.providers.hasAny) throw badRequest('Evaluate model dispatcher is not set: configure a model provider')
      const project = await context.open(project_id)
      const payload: RunPayload = { evaluation_ref, model_ref, user_id: context.caller.userId }
      const { job } = await deps.jobs.enqueue(project, { kind: runEvaluationKind, payload, maxAttempts })
      return { call_id: job.id }
    },

    async status({ project_id, call_id }, context) {
      return { status: await readStatus(await context.open(project_id), call_id) }
    },
  }
}
