import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAdapterConfig } from '../checkpoint-files/adapter-config.ts'
import type { AdapterSettings } from '../engine/engine.ts'
import type { HeldVersion } from '../model-versions/model-versions.ts'
import { TrainingFailure } from '../training/training-failure.ts'
import type { JobToPrepare, PreparedJob } from './prepare-job.ts'

/**
 * The adapter that is trained: that of the weights where the job begins, else as the job or the base model says. Null trains every weight.
 * @throws TrainingFailure for a rank that it cannot have
 */
export function adapterOf(job: PreparedJob, { base }: JobToPrepare, { version }: HeldVersion): AdapterSettings | null {
  const rank = job.kind === 'sft' ? job.prepared.settings.rank : null
  const first = base.adapter
  if (first === null) {
    if (rank !== null) throw new TrainingFailure(`rank ${rank}: models from ${base.id} train every weight, and have no adapter`)
    return null
  }
  const there =
    version.folder !== null && existsSync(join(version.folder, 'adapter_config.json')) ? readAdapterConfig(version.folder) : null
  if (there && rank !== null && rank !== there.rank)
    throw new TrainingFailure(
      `rank ${rank}: the adapter of this model has rank ${there.rank}, and goes on with it; train a new model with another`,
    )
  if (there) return there
  return rank === null ? first : { rank, alpha: (first.alpha / first.rank) * rank }
}
