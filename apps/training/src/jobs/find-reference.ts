import type { JobContext } from '@heddle/jobs'
import type { HeldVersion } from '../model-versions/model-versions.ts'
import { klReferenceStep } from '../objective/settings/resolve-kl-reference.ts'
import { type CheckpointAlias, parseModelAddress } from '../resources/models/model-address.ts'
import type { CheckpointRow } from '../resources/checkpoints/checkpoint-row.ts'
import { findTeacher } from '../resources/training-jobs/find-teacher.ts'
import type { RlSettings } from '../objective/settings/rl-settings.ts'
import { TrainingFailure } from '../training/training-failure.ts'
import type { JobToPrepare } from './prepare-job.ts'
import type { TrainingJobDeps } from './training-job-deps.ts'

/** The weights that a job compares with: its teacher, or those of its KL penalty; null without either. @throws TrainingFailure if they do not exist */
export async function findReference(
  { klReference, loss, teacher }: RlSettings,
  { job, parent, model, base, running }: JobToPrepare,
  { context, deps }: { context: JobContext; deps: TrainingJobDeps },
): Promise<HeldVersion | null> {
  if (teacher !== null) return holdTeacher(teacher)
  if (loss.klCoefficient === 0) return null
  const baseModel = base.id
  if (klReference.kind === 'base') return deps.versions.hold({ baseModel, checkpoint: null }, context.signal)
  if (klReference.kind === 'artifact') return holdAddress(klReference.address)
  const step = klReferenceStep(klReference, parent.step) ?? 0
  const isThere = await context.commit((transaction) => deps.jobs.setReference(transaction, job, step))
  const checkpoint = isThere ? await deps.checkpoints.find(running.project, model.id, step) : undefined
  if (!checkpoint) throw new TrainingFailure(`the KL penalty compares with step ${step}, of which the model has no checkpoint`)
  return deps.versions.hold({ baseModel, checkpoint }, context.signal)

  /** Looked up again: between the creation of a job and its beginning a checkpoint may be deleted. */
  async function holdTeacher(name: string): Promise<HeldVersion> {
    const found = await findTeacher(name, { student: base, project: running.project }, deps)
    if ('problem' in found) throw new TrainingFailure(found.problem)
    return deps.versions.hold({ baseModel: found.base.id, checkpoint: found.checkpoint }, context.signal)
  }

  /** Only checkpoints of this project: the key was checked for no other. */
  async function holdAddress(text: string): Promise<HeldVersion> {
    const address = parseModelAddress(text)
    const isOwn = address.kind === 'name' && address.project === running.project.id
    const named = isOwn ? await deps.models.findByName(running.project, address.name) : undefined
    const found = named && isOwn ? await findCheckpoint(named.id, address.alias) : undefined
    if (!named || !found) throw new TrainingFailure(`kl_ref_adapter_path "${text}" names no checkpoint of a model in ${running.project.id}`)
    if (named.base_model !== baseModel)
      throw new TrainingFailure(`kl_ref_adapter_path "${text}" has the base model ${named.base_model}, and this model ${baseModel}`)
    return deps.versions.hold({ baseModel, checkpoint: found }, context.signal)
  }

  async function findCheckpoint(modelId: string, alias: CheckpointAlias): Promise<CheckpointRow | undefined> {
    if (alias.kind === 'newest') return deps.checkpoints.findNewest(running.project, modelId)
    return deps.checkpoints.find(running.project, modelId, alias.kind === 'step' ? alias.step : alias.place)
  }
}
