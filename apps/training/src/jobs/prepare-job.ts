import type { RunningJob } from '@heddle/jobs'
import type { BaseModel } from '../engine/engine.ts'
import { type PreparedPart, prepareRlBody, prepareSftBody } from './prepare-body.ts'
import type { ModelRow } from '../resources/models/model-row.ts'
import type { BegunJob } from '../resources/training-jobs/training-jobs-store.ts'
import type { PreparedRl } from '../training/rl/prepared-rl.ts'
import { seedOf } from '../training/seed-of.ts'
import { planEpochs } from '../training/sft/plan-epochs.ts'
import type { PreparedSft } from '../training/sft/prepare-sft.ts'
import type { TrainingJobDeps } from './training-job-deps.ts'

export type PreparedJob = { kind: 'rl'; prepared: PreparedRl } | { kind: 'sft'; prepared: PreparedSft }

export interface JobToPrepare extends BegunJob {
  model: ModelRow
  base: BaseModel
  running: RunningJob
  signal: AbortSignal
}

/** Reads a job's input, and plans its gradient steps. Deterministic for each job. */
export async function prepareJob({ job, parent, model, base, running, signal }: JobToPrepare, deps: TrainingJobDeps): Promise<PreparedJob> {
  const { digest, sizeBytes } = job.input
  const body = { content: openInput, sizeBytes, signal, caller: null }
  const tokenizerFolder = base.folder
  if (job.kind === 'sft') {
    const parts = deps.bodies.read(prepareSftBody, { ...body, input: { tokenizerFolder, config: job.config ?? {}, model: base } })
    const prepared = await gather<PreparedSft, 'batches'>(parts, 'batches')
    return { kind: 'sft', prepared: planEpochs(prepared, prepared.settings.seed ?? seedOf(job.id)) }
  }
  const { id, name, project_id } = model
  const input = {
    tokenizerFolder,
    trainedModel: { id, name, project_id },
    config: job.config ?? {},
    model: base,
    step: parent.step,
    deviations: await deps.jobs.findRewards(running.project, model.id),
    seed: seedOf(job.id),
  }
  return { kind: 'rl', prepared: await gather<PreparedRl, 'rows'>(deps.bodies.read(prepareRlBody, { ...body, input }), 'rows') }

  async function openInput(): Promise<AsyncIterable<Uint8Array>> {
    return deps.blobs.read(digest, { signal })
  }
}

/** All parts together. */
async function gather<Prepared extends { [key in Steps]: unknown[] }, Steps extends keyof Prepared>(
  parts: AsyncIterable<PreparedPart<Prepared, Steps>>,
  steps: Steps,
): Promise<Prepared> {
  const all: unknown[] = []
  let rest: Partial<Prepared> = {}
  for await (const part of parts as AsyncIterable<Partial<Prepared>>) {
    if (part[steps]) for (const step of part[steps]) all.push(step)
    else rest = part
  }
  return { ...rest, [steps]: all } as Prepared
}
