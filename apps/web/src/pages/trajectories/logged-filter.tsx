import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { LoggedFilter } from './trajectory-queries.ts'

const route = getRouteApi('/$entity/$project/training/models/$model/trajectories')

/** Chooses logged groups by step and split. */
export function LoggedFilterForm({ step, split }: LoggedFilter) {
  const navigate = route.useNavigate()
  const [stepText, setStepText] = useState(step === undefined ? '' : String(step))
  const [splitText, setSplitText] = useState(split ?? '')
  const isValid = stepText.trim() === '' || /^\d{1,9}$/.test(stepText.trim())
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        const chosen = { step: stepText.trim() === '' ? undefined : Number(stepText), split: splitText.trim() || undefined }
        void navigate({ search: chosen })
      }}
    >
      <label htmlFor="logged-step">Step of the model</label>
      <input
        id="logged-step"
        inputMode="numeric"
        size={6}
        aria-invalid={!isValid}
        value={stepText}
        onChange={({ target }) => setStepText(target.value)}
      />
      <label htmlFor="logged-split">Split</label>
      <input
        id="logged-split"
        size={10}
        placeholder="train, val, …"
        value={splitText}
        onChange={({ target }) => setSplitText(target.value)}
      />
      <button type="submit" disabled={!isValid}>
        Show
      </button>
      {(step !== undefined || split !== undefined) && (
        <button type="button" onClick={() => void navigate({ search: {} })}>
          Clear
        </button>
      )}
      {!isValid && <span className="problem">The step must be a whole number from 0, got "{stepText.slice(0, 20)}".</span>}
    </form>
  )
}
