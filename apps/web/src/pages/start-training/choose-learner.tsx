import type { TrainedModel } from '@heddle/core-api/types'
import { TextField } from '../../ui/text-field.tsx'
import { Select } from '../../ui/select.tsx'
import { maxModels } from '../../features/training/training-queries.ts'

/** A model that is trained: one of the project, or one that the job begins with. */
export type Learner = { id: string } | { name: string; baseModel: string }

interface Properties {
  models: readonly TrainedModel[]
  baseModels: readonly { id: string }[]
  hasMore: boolean
  learner: Learner
  onChange: (learner: Learner) => void
}

/** Value of the choice of a new model. Ids are longer. */
const newModel = 'new'

/** A new model begins with a base model. */
export function ChooseLearner({ models, baseModels, hasMore, learner, onChange }: Properties) {
  const isNew = 'name' in learner
  const isListed = isNew || models.some(({ id }) => id === learner.id)
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Select
          label="Model to train"
          size="md"
          className="w-full"
          value={isNew ? newModel : learner.id}
          onChange={(next) => onChange(next === newModel ? { name: '', baseModel: baseModels[0]?.id ?? '' } : { id: next })}
          choices={[
            ...(isListed || isNew ? [] : [{ value: learner.id, label: learner.id, note: 'not in the list' }]),
            ...models.map(({ id, name, base_model }) => ({ value: id, label: name, note: base_model })),
            { value: newModel, label: 'New model' },
          ]}
        />
        <p className="mt-1 text-xs text-fg-3">
          {isNew ? 'Registered with its first job.' : 'Training continues from its latest checkpoint.'}
          {hasMore && ` The first ${maxModels} models are listed.`}
        </p>
      </div>
      {isNew && (
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label="Name of the new model"
            value={learner.name}
            maxLength={128}
            onChange={(next) => onChange({ ...learner, name: next })}
          />
          <div>
            <Select
              label="Base model"
              size="md"
              className="w-full"
              value={learner.baseModel}
              onChange={(next) => onChange({ ...learner, baseModel: next })}
              choices={baseModels.map(({ id }) => ({ value: id, label: id }))}
            />
          </div>
        </div>
      )}
    </div>
  )
}
