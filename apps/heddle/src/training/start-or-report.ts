import { createTrainingJob } from '@heddle/agent-instrumentation/from-traces'
import type { RecordedGroup } from '@heddle/agent-instrumentation'
import type { TrainedModel } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { drawPlan, type Plan } from './draw-plan.ts'
import type { JobConfig } from './from-traces-flags.ts'

/** Flags of every command that starts a job. */
export interface StartFlags {
  json?: boolean
  dryRun?: boolean
  watch?: boolean
  idempotencyKey?: string
}

export interface Training {
  model: TrainedModel
  /** What the report says first, such as how many traces were read. */
  source: string
  plan: Plan
  groups: readonly RecordedGroup[]
  config: JobConfig
}

/** A job that was started, or whether there was something to train on where none was. */
export type TrainingStart = { jobId: string } | { jobId: null; ok: boolean }

/** Prints the report, and starts a job unless it is a dry run, or there is nothing to train on. The same training again within 24 hours is the same job. */
export async function startOrReport(
  client: TrainingClient,
  training: Training,
  flags: StartFlags,
  terminal: Terminal,
): Promise<TrainingStart> {
  const { model, plan, groups, config, source } = training
  const print = (jobId: string | null) => terminal.json(JSON.stringify({ job_id: jobId, model_id: model.id, ...plan }, null, 2))
  if (flags.dryRun || plan.groups === 0) {
    if (flags.json) print(null)
    else terminal.out(drawPlan(plan, source))
    if (plan.groups === 0) terminal.note('There is nothing to train on. The lines above say why attempts were left out.')
    return { jobId: null, ok: flags.dryRun === true || plan.groups > 0 }
  }
  const jobId = await createTrainingJob(client, model.id, groups, config, flags.idempotencyKey)
  if (flags.json) print(jobId)
  else {
    terminal.note(drawPlan(plan, source))
    terminal.out(jobId)
    terminal.note(`Started. Follow it with: heddle jobs watch ${jobId}`)
  }
  return { jobId }
}

/** Tokens that a conversation of the model may have; undefined where its base model is not known. */
export async function contextLengthOf(client: TrainingClient, model: TrainedModel): Promise<number | undefined> {
  const { data } = await client.baseModels.list({ limit: 100 })
  return data.find(({ id }) => id === model.base_model)?.context_length
}

/** A request with trajectories may be 256 MiB. */
export const uploadTimeoutMs = 600_000
