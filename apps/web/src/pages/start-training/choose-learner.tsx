import type { TrainedModel } from '@heddle/core-api'
import { Link } from '@tanstack/react-router'
import { useProject } from '../../app/use-project.ts'
import { maxModels } from '../training/training-queries.ts'

/** A model that is trained: one of the project, or one that the job begins with. */
export type Learner = { id: string } | { name: string; baseModel: string }

interface Properties {
  models: readonly TrainedModel[]
  baseModels: readonly { id: string }[]
  hasMore: boolean
  learner: Learner
  onChange: (learner: Learner) => void
}

/** A new model begins with a base model. */
export function ChooseLearner({ models, baseModels, hasMore, learner, onChange }: Properties) {
  const project = useProject()
  const isNew = 'name' in learner
  const chosen = isNew ? undefined : models.find(({ id }) => id === learner.id)
  return (
    <>
      <label htmlFor="learner">Model to train</label>
      <select
        id="learner"
        value={isNew ? '' : learner.id}
        onChange={({ target }) => onChange(target.value === '' ? { name: '', baseModel: baseModels[0]?.id ?? '' } : { id: target.value })}
      >
        {!isNew && !chosen && <option value={learner.id}>{learner.id}, which is not in the list</option>}
        {models.map(({ id, name, base_model }) => (
          <option key={id} value={id}>
            {name}, from {base_model}
          </option>
        ))}
        <option value="">a new model</option>
      </select>
      {chosen && (
        <p className="muted">
          Training continues from its latest checkpoint.{' '}
          <Link to="/$entity/$project/training/models/$model" params={{ ...project, model: chosen.id }}>
            Its checkpoints
          </Link>
        </p>
      )}
      {hasMore && <p className="notice">These are the first {maxModels} models of the project.</p>}
      {isNew && (
        <>
          <label htmlFor="learner-name">Name of the new model</label>
          <input
            id="learner-name"
            value={learner.name}
            maxLength={128}
            onChange={({ target }) => onChange({ ...learner, name: target.value })}
          />
          <label htmlFor="base-model">Base model</label>
          <select id="base-model" value={learner.baseModel} onChange={({ target }) => onChange({ ...learner, baseModel: target.value })}>
            {baseModels.map(({ id }) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </>
      )}
    </>
  )
}
