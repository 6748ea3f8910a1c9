import { createClock } from '../terminal/clock.ts'
import {
  createRuler,
  gatherGroups,
  type GatherProgress,
  planTraining,
  ScorerUnavailable,
  trainableGroups,
} from '@heddle/agent-instrumentation/from-traces'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { connect, exactRequests } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import type { Environment } from '../settings/configuration.ts'
import { withSteps } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { findModel } from '../training/find-model.ts'
import { type SourceFlags, toCollectOptions, toJobConfig, toRulerOptions } from '../training/from-traces-flags.ts'
import { contextLengthOf, type StartFlags, startOrReport, uploadTimeoutMs } from '../training/start-or-report.ts'
import { watchJob } from './jobs.ts'
import type { ModelFlags } from './models.ts'

export type TrainFlags = ModelFlags & SourceFlags & StartFlags

interface Deps extends ActionDeps {
  environment: Environment
  signal: AbortSignal
}

/** Rebuilds trajectories from traces, reports on them, and starts a job. False when there is nothing to train on, or a watched job did not succeed. */
export async function trainFromTraces(nameOrId: string, flags: TrainFlags, deps: Deps): Promise<boolean> {
  const { configuration, terminal, signal } = deps
  const config = toJobConfig(flags)
  const options = toCollectOptions(flags, createClock(configuration.timeZone))
  const { exactClient: tracing, baseUrl, apiKey } = await connect(configuration)
  const client = createClient({ baseUrl, apiKey, contract: training, json: exactRequests, retries: 1, timeoutMs: uploadTimeoutMs })
  const model = await findModel(client, nameOrId, flags.project)
  const maxTokens = await contextLengthOf(client, model)
  const judge =
    options.reward.from === 'ruler' ? createRuler(toRulerOptions(flags, { environment: deps.environment, baseUrl, apiKey })) : undefined
  const source = { client: tracing, project: flags.project, signal }
  const collected = await withSteps(terminal, (onStep) =>
    gatherGroups(source, { ...options, maxTokens, judge, onProgress: (progress) => onStep(progressText(progress)) }),
  ).catch((error: unknown) => {
    throw error instanceof ScorerUnavailable ? new UsageError(`--reward: ${error.message}`) : error
  })
  const plan = planTraining(collected, { maxTokens })
  const groups = trainableGroups(collected.groups)
  const started = await startOrReport(
    client,
    { model, source: `Traces         ${plan.traces} read`, plan, groups, config },
    flags,
    terminal,
  )
  if (started.jobId === null) return started.ok
  return flags.watch ? watchJob(started.jobId, flags, deps) : true
}

const stepTitles = { scoring: 'Scoring attempts', reading: 'Reading traces', judging: 'Judging groups' }

function progressText({ step, done, total, trajectories }: GatherProgress): string {
  return `${stepTitles[step]}: ${done} of ${total}${step === 'reading' ? `, ${trajectories} trajectories` : ''}`
}
