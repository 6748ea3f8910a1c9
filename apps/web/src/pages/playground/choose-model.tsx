import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../../ui/states/failure.tsx'
import { Input } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { checkpointsQuery } from '../../features/training/training-queries.ts'
import { nameOfVariant } from '../../features/playground/draft/variants.ts'
import { findProvided, findTrained, isKnown, splitModel } from './known-models.ts'
import { type KnownModels, nameOfModel } from './playground-queries.ts'

interface Properties {
  at: number
  model: string
  known: KnownModels
  isDisabled: boolean
  onChange: (model: string) => void
}

/** The model of a variant: a base model, one of the project with one of its checkpoints, or one of a provider by its name there. */
export function ChooseModel({ at, model, known, isDisabled, onChange }: Properties) {
  const { name, step } = splitModel(model)
  const trained = findTrained(known, model)
  const provided = findProvided(known, model)
  const variant = nameOfVariant(at)
  return (
    <div className="flex min-w-0 grow flex-wrap items-center gap-2">
      <Select
        label={`Model of variant ${variant}`}
        hideLabel
        className="max-w-full min-w-0"
        disabled={isDisabled}
        choices={choicesOf(known, model)}
        value={trained ? name : provided ? `${provided.provider}/` : model}
        onChange={onChange}
      />
      {provided && (
        <NameAtProvider
          at={at}
          provided={provided}
          catalogue={known.catalogue}
          isDisabled={isDisabled}
          onChange={(next) => onChange(`${provided.provider}/${next}`)}
        />
      )}
      {trained && (
        <Checkpoints
          id={trained.id}
          label={`Checkpoint of variant ${variant}`}
          step={step}
          isDisabled={isDisabled}
          onChange={(next) => onChange(next === '' ? name : `${name}:step${next}`)}
        />
      )}
    </div>
  )
}

const choicesOf = (known: KnownModels, model: string) => [
  ...(isKnown(known, model) ? [] : [{ value: model, label: model, note: 'Unknown' }]),
  ...known.trained.map((one) => ({ value: nameOfModel(one), label: one.name, note: 'Trained' })),
  ...known.base.map((id) => ({ value: id, label: id, note: 'Base' })),
  ...known.providers.map(({ name }) => ({ value: `${name}/`, label: name, note: 'Provider' })),
]

interface NameProperties {
  at: number
  provided: { provider: string; name: string }
  catalogue: readonly string[]
  isDisabled: boolean
  onChange: (name: string) => void
}

/** Providers do not list their models here, so the name is typed. */
function NameAtProvider({ at, provided, catalogue, isDisabled, onChange }: NameProperties) {
  const names = useId()
  return (
    <>
      <Input
        className="h-7 min-w-28 flex-1"
        aria-label={`Name of the model of variant ${nameOfVariant(at)}`}
        placeholder={`Model of ${provided.provider}`}
        list={names}
        maxLength={500}
        value={provided.name}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value.replaceAll(',', ''))}
      />
      <datalist id={names}>
        {catalogue.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

interface CheckpointProperties {
  id: string
  label: string
  step: string
  isDisabled: boolean
  onChange: (step: string) => void
}

const latest = 'latest'

function Checkpoints({ id, label, step, isDisabled, onChange }: CheckpointProperties) {
  const { data, error } = useQuery(checkpointsQuery(id))
  const steps = (data?.checkpoints ?? []).map((checkpoint) => String(checkpoint.step))
  const choices = [
    { value: latest, label: 'Latest' },
    ...(step !== '' && !steps.includes(step) ? [{ value: step, label: `Step ${step}`, note: 'Not listed' }] : []),
    ...steps.map((one) => ({ value: one, label: `Step ${one}` })),
  ]
  return (
    <>
      <Select
        label={label}
        hideLabel
        disabled={isDisabled}
        choices={choices}
        value={step === '' ? latest : step}
        onChange={(next) => onChange(next === latest ? '' : next)}
      />
      <Failure error={error} before="Checkpoints not loaded." />
    </>
  )
}
