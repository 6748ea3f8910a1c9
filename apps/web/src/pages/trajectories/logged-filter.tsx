import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import type { LoggedFilter } from '../../features/trajectories/trajectory-queries.ts'

const route = getRouteApi('/$entity/$project/training/models/$model/trajectories')

/** Chooses logged groups by step and split. */
export function LoggedFilterForm({ step, split }: LoggedFilter) {
  const navigate = route.useNavigate()
  const [stepText, setStepText] = useState(step === undefined ? '' : String(step))
  const [splitText, setSplitText] = useState(split ?? '')
  const isValid = stepText.trim() === '' || /^\d{1,9}$/.test(stepText.trim())
  return (
    <form
      role="search"
      className="flex min-h-12 shrink-0 flex-wrap items-center gap-2 border-b border-line px-4 py-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (!isValid) return
        void navigate({ search: { step: stepText.trim() === '' ? undefined : Number(stepText), split: splitText.trim() || undefined } })
      }}
    >
      <Input
        aria-label="Checkpoint"
        placeholder="Checkpoint"
        inputMode="numeric"
        className="w-32"
        aria-invalid={!isValid}
        value={stepText}
        onChange={({ target }) => setStepText(target.value)}
      />
      <Input
        aria-label="Split"
        placeholder="Split: train, val…"
        className="w-44"
        value={splitText}
        onChange={({ target }) => setSplitText(target.value)}
      />
      <Button type="submit" size="md" disabled={!isValid}>
        Filter
      </Button>
      {(step !== undefined || split !== undefined) && (
        <Button variant="ghost" size="md" onClick={() => void navigate({ search: {} })}>
          Clear filters
        </Button>
      )}
      {!isValid && (
        <span role="alert" className="text-xs text-red-text">
          The checkpoint must be a whole number from 0, got "{stepText.slice(0, 20)}"
        </span>
      )}
    </form>
  )
}
