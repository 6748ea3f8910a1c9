import type { ProjectScope } from '@heddle/identity'
import type { BaseModel, Engine } from '../../engine/engine.ts'
import { haveSameVocabulary } from '../../tokenizer/same-vocabulary.ts'
import { parseModelAddress } from '../models/model-address.ts'
import type { CheckpointRow } from '../checkpoints/checkpoint-row.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { ModelsStore } from '../models/models-store.ts'

/** Weights that a student learns from. Null checkpoint: the base model as it is. */
export interface Teacher {
  base: BaseModel
  checkpoint: CheckpointRow | null
}

export interface FindTeacherDeps {
  models: Pick<ModelsStore, 'findByName'>
  checkpoints: Pick<CheckpointsStore, 'find' | 'findNewest'>
  engine: Pick<Engine, 'baseModels'>
}

/**
 * The teacher of this name: a base model, or a checkpoint of a model of the project. A problem is a sentence for the sender: there is none, or its tokens
 * are not those of the student, so that its log-probabilities would be of other texts.
 */
export async function findTeacher(
  name: string,
  { student, project }: { student: BaseModel; project: ProjectScope },
  deps: FindTeacherDeps,
): Promise<Teacher | { problem: string }> {
  const bases = await deps.engine.baseModels()
  const teacher = await findNamed(name, { bases, project }, deps)
  if (!teacher) {
    const known = bases.map(({ id }) => id).join(', ')
    return {
      problem: `distillation_teacher "${name.slice(0, 200)}" is neither a base model (${known}) nor a model of ${project.id} with such a checkpoint; name one as entity/project/name, optionally with :stepN`,
    }
  }
  if (await haveSameVocabulary(teacher.base.folder, student.folder)) return teacher
  return {
    problem: `distillation_teacher "${name.slice(0, 200)}" has the base model ${teacher.base.id}, whose vocabulary differs from that of ${student.id}; choose a teacher with the same tokenizer.json`,
  }
}

async function findNamed(
  name: string,
  { bases, project }: { bases: readonly BaseModel[]; project: ProjectScope },
  { models, checkpoints }: FindTeacherDeps,
): Promise<Teacher | undefined> {
  const named = bases.find(({ id }) => id === name)
  if (named) return { base: named, checkpoint: null }
  const address = name.includes('\0') ? ({ kind: 'unknown' } as const) : parseModelAddress(name)
  if (address.kind !== 'name' || address.project !== project.id) return undefined
  const model = await models.findByName(project, address.name)
  const base = model && bases.find(({ id }) => id === model.base_model)
  if (!base) return undefined
  const { alias } = address
  const checkpoint =
    alias.kind === 'newest'
      ? await checkpoints.findNewest(project, model.id)
      : await checkpoints.find(project, model.id, alias.kind === 'step' ? alias.step : alias.place)
  return checkpoint && { base, checkpoint }
}
