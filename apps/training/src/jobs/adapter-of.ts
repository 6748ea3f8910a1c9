import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readAdapterConfig } from '../checkpoint-files/adapter-config.ts'
import type { AdapterSettings } from '../engine/engine.ts'
import type { HeldVersion } from '../model-versions/model-versions.ts'
import { TrainingFailure } from '../training/training-failure.ts'
import { type AdapterChoice, chooseAdapter } from '../training/choose-adapter.ts'
import type { JobToPrepare, PreparedJob } from './prepare-job.ts'

/** The adapter that is trained. Null trains every weight. @throws TrainingFailure for a rank that it cannot have: an earlier job may have made another since the job was created */
export function adapterOf(
  job: PreparedJob,
  { base }: Pick<JobToPrepare, 'base'>,
  { version, maxRank, choosesModules }: Pick<HeldVersion, 'version'> & Pick<AdapterChoice, 'maxRank' | 'choosesModules'>,
): AdapterSettings | null {
  const { rank, targetModules: modules } = job.kind === 'sft' ? job.prepared.settings : { rank: null, targetModules: null }
  const there =
    version.folder !== null && existsSync(join(version.folder, 'adapter_config.json')) ? readAdapterConfig(version.folder) : null
  const chosen = chooseAdapter({ base, there, rank, modules, choosesModules, maxRank })
  if ('problem' in chosen) throw new TrainingFailure(chosen.problem)
  return chosen.adapter
}
