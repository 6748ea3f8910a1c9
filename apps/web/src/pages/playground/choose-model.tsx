import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Failure } from '../../components/failure.tsx'
import { checkpointsQuery } from '../training/training-queries.ts'
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
  const label = `Model of variant ${at + 1}`
  return (
    <>
      <select
        aria-label={label}
        value={trained ? name : provided ? `${provided.provider}/` : model}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.value)}
      >
        {!isKnown(known, model) && <option>{model}</option>}
        {known.trained.length > 0 && (
          <optgroup label="Trained in this project">
            {known.trained.map((one) => (
              <option key={one.id} value={nameOfModel(one)}>
                {one.name}
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label="Base models">
          {known.base.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </optgroup>
        {known.providers.length > 0 && (
          <optgroup label="Providers">
            {known.providers.map((provider) => (
              <option key={provider.name} value={`${provider.name}/`}>
                a model of {provider.name}
              </option>
            ))}
          </optgroup>
        )}
      </select>
      {provided && (
        <NameAtProvider
          at={at}
          provided={provided}
          catalogue={known.catalogue}
          isDisabled={isDisabled}
          onChange={(next) => onChange(`${provided.provider}/${next}`)}
        />
      )}
      {!isKnown(known, model) && (
        <p className="muted playground-unknown">{model} is neither a model of this project nor one of a provider of this server.</p>
      )}
      {trained && (
        <Checkpoints
          id={trained.id}
          label={`Checkpoint of variant ${at + 1}`}
          step={step}
          isDisabled={isDisabled}
          onChange={(next) => onChange(next === '' ? name : `${name}:step${next}`)}
        />
      )}
    </>
  )
}

interface NameProperties {
  at: number
  provided: { provider: string; name: string }
  catalogue: readonly string[]
  isDisabled: boolean
  onChange: (name: string) => void
}

/** Providers do not say which models they have, so the name is typed. */
function NameAtProvider({ at, provided, catalogue, isDisabled, onChange }: NameProperties) {
  const names = useId()
  return (
    <>
      <input
        aria-label={`Name of the model of variant ${at + 1}`}
        placeholder={`its name at ${provided.provider}`}
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

function Checkpoints({ id, label, step, isDisabled, onChange }: CheckpointProperties) {
  const { data, error } = useQuery(checkpointsQuery(id))
  const steps = (data?.checkpoints ?? []).map((checkpoint) => String(checkpoint.step))
  return (
    <>
      <select aria-label={label} value={step} disabled={isDisabled} onChange={({ target }) => onChange(target.value)}>
        <option value="">latest checkpoint</option>
        {step !== '' && !steps.includes(step) && <option value={step}>step {step} (not listed)</option>}
        {steps.map((one) => (
          <option key={one} value={one}>
            step {one}
          </option>
        ))}
      </select>
      <Failure error={error} before="Its checkpoints cannot be listed." />
    </>
  )
}
