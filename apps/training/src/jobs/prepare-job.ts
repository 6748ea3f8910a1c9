import { createHash } from 'node:crypto'
import type { RunningJob } from '@heddle/jobs'
import { type BaseModel, EngineError } from '../engine/engine.ts'
import { readGroups } from '../request-body/read-groups.ts'
import { isModel } from '../resources/models/is-model.ts'
import type { ModelRow } from '../resources/models/model-row.ts'
import type { BegunJob } from '../resources/training-jobs/training-jobs-store.ts'
import { loadTokenizer } from '../tokenizer/load-tokenizer.ts'
import { prepareRl } from '../training/prepare-rl.ts'
import type { PreparedRl } from '../training/prepared-rl.ts'
import { prepareSft, type PreparedSft } from '../training/prepare-sft.ts'
import { readLines } from './read-lines.ts'
import type { TrainingJobDeps } from './training-job-deps.ts'

export type PreparedJob = { kind: 'rl'; prepared: PreparedRl } | { kind: 'sft'; prepared: PreparedSft }

export interface JobToPrepare extends BegunJob {
  model: ModelRow
  base: BaseModel
  running: RunningJob
  signal: AbortSignal
}

/** Reads what a job learns from, and decides its gradient steps. The same job gives the same. */
export async function prepareJob({ job, parent, model, base, running, signal }: JobToPrepare, deps: TrainingJobDeps): Promise<PreparedJob> {
  const content = await deps.blobs.get(job.input.digest, { signal })
  if (!content) throw new EngineError('damaged', `what the job learns from is missing: there is no blob ${job.input.digest}`)
  const tokenizer = await loadTokenizer(base.folder)
  if (job.kind === 'sft') {
    const prepared = await prepareSft({ lines: readLines(content), config: job.config ?? {}, model: base, tokenizer, signal })
    return { kind: 'sft', prepared }
  }
  const prepared = await prepareRl({
    groups: readGroups(content),
    config: job.config ?? {},
    model: base,
    tokenizer,
    step: parent.step,
    deviations: await deps.jobs.findRewards(running.project, model.id),
    seed: seedOf(job.id),
    isTrainedModel: (name) => isModel(name, model),
    signal,
  })
  return { kind: 'rl', prepared }
}

/** A number from 0 to 2^31 - 1 that is the same in every attempt of a job. */
export function seedOf(jobId: string): number {
  return createHash('sha256').update(jobId).digest().readUInt32BE(0) >>> 1
}
