import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { adapterConfigName, readAdapterConfig } from '../checkpoint-files/adapter-config.ts'
import type { AdapterSettings, Engine, ModelVersion, ReferenceWeights } from '../engine/engine.ts'
import { memoryProblem } from '../training/memory-problem.ts'
import { TrainingFailure } from '../training/training-failure.ts'
import type { PreparedJob } from './prepare-job.ts'

export interface JobToFit {
  job: PreparedJob
  baseModel: string
  adapter: AdapterSettings | null
  /** Tokens that are sent to the engine at a time. */
  tokensAtATime: number
  /** Weights that a job of rewards is compared with: those of its teacher or of its KL penalty. */
  reference: ModelVersion | null
}

/** @throws TrainingFailure when a prepared job does not fit into the memory of this machine: its creation had an estimate of its sequences */
export async function assertMemory(
  engine: Pick<Engine, 'estimateTraining'>,
  { job, baseModel, adapter, tokensAtATime, reference }: JobToFit,
): Promise<void> {
  const steps = job.kind === 'sft' ? job.prepared.batches : job.prepared.rows
  let longest = 1
  let batch = 1
  for (const { sequences } of steps) {
    const lengths = sequences.map(({ tokens }) => tokens.length)
    longest = lengths.reduce((most, length) => Math.max(most, length), longest)
    batch = Math.max(
      batch,
      lengths.reduce((sum, length) => sum + length, 0),
    )
  }
  const memory = await engine.estimateTraining({
    baseModel,
    adapter,
    longest,
    batchTokens: Math.max(longest, Math.min(batch, tokensAtATime)),
    reference: reference && { baseModel: reference.baseModel, weights: weightsIn(reference.folder) },
  })
  const problem = memory && memoryProblem(memory, longest, job.kind === 'rl' && job.prepared.settings.teacher !== null)
  if (problem !== null) throw new TrainingFailure(problem)
}

function weightsIn(folder: string | null): ReferenceWeights['weights'] {
  if (folder === null) return 'base'
  return existsSync(join(folder, adapterConfigName)) ? readAdapterConfig(folder) : 'whole'
}
