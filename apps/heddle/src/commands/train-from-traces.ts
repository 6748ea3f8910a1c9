import {
  type CollectedGroups,
  createRuler,
  createTrainingJob,
  gatherGroups,
  type GatherProgress,
  planTraining,
  trainableGroups,
  type TrainingPlan,
} from '@heddle/agent-instrumentation/from-traces'
import { type TrainedModel, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { connect, type TrainingClient } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import type { Environment } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import { drawPlan } from '../training/draw-plan.ts'
import { findModel } from '../training/find-model.ts'
import { type JobConfig, type SourceFlags, toCollectOptions, toJobConfig, toRulerOptions } from '../training/from-traces-flags.ts'
import { watchJob } from './jobs.ts'
import type { ModelFlags } from './models.ts'

export type TrainFlags = ModelFlags & SourceFlags & { dryRun?: boolean; watch?: boolean; idempotencyKey?: string }

interface Deps extends ActionDeps {
  environment: Environment
  signal: AbortSignal
}

/** A request with trajectories may be 256 MiB. */
const uploadTimeoutMs = 600_000

/** Rebuilds trajectories from traces, reports on them, and starts a job. False when there is nothing to train on, or a watched job did not succeed. */
export async function trainFromTraces(nameOrId: string, flags: TrainFlags, deps: Deps): Promise<boolean> {
  const { configuration, terminal, signal } = deps
  const config = toJobConfig(flags)
  const options = toCollectOptions(flags)
  const { client: tracing, baseUrl, apiKey } = await connect(configuration, flags.url)
  const client = createClient({ baseUrl, apiKey, contract: training, retries: 1, timeoutMs: uploadTimeoutMs })
  const model = await findModel(client, nameOrId, flags.project)
  const maxTokens = await contextLengthOf(client, model)
  const judge =
    options.reward.from === 'ruler' ? createRuler(toRulerOptions(flags, { environment: deps.environment, baseUrl, apiKey })) : undefined
  const source = { client: tracing, project: flags.project, signal }
  const collected = await withSteps(terminal, (onStep) =>
    gatherGroups(source, { ...options, maxTokens, judge, onProgress: (progress) => onStep(progressText(progress)) }),
  )
  const plan = planTraining(collected)
  if (flags.dryRun || plan.groups === 0) {
    if (flags.json) terminal.out(JSON.stringify({ job_id: null, model_id: model.id, ...plan }, null, 2))
    else terminal.out(drawPlan(plan))
    if (plan.groups === 0) terminal.note('There is nothing to train on. The lines above say why attempts were left out.')
    return flags.dryRun === true || plan.groups > 0
  }
  const jobId = await startJob(client, { model, collected, config, key: flags.idempotencyKey })
  printJob({ jobId, model, plan }, flags, deps)
  return flags.watch ? watchJob(jobId, flags, deps) : true
}

interface Job {
  model: TrainedModel
  collected: CollectedGroups
  config: JobConfig
  key: string | undefined
}

function startJob(client: TrainingClient, { model, collected, config, key }: Job): Promise<string> {
  return createTrainingJob(client, model.id, trainableGroups(collected.groups), config, key)
}

function printJob(
  { jobId, model, plan }: { jobId: string; model: TrainedModel; plan: TrainingPlan },
  { json }: TrainFlags,
  { terminal }: Deps,
) {
  if (json) return terminal.out(JSON.stringify({ job_id: jobId, model_id: model.id, ...plan }, null, 2))
  terminal.note(drawPlan(plan))
  terminal.out(jobId)
  terminal.note(`Started. Follow it with: heddle jobs watch ${jobId}`)
}

async function contextLengthOf(client: TrainingClient, model: TrainedModel): Promise<number | undefined> {
  const { data } = await client.baseModels.list({ limit: 100 })
  return data.find(({ id }) => id === model.base_model)?.context_length
}

const stepTitles = { scoring: 'Scoring attempts', reading: 'Reading traces', judging: 'Judging groups' }

function progressText({ step, done, total, trajectories }: GatherProgress): string {
  return `${stepTitles[step]}: ${done} of ${total}${step === 'reading' ? `, ${trajectories} trajectories` : ''}`
}
