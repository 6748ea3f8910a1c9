import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Failure } from './failure.tsx'

/** What a person gives: pass or fail, or a number. */
export interface GivenScore {
  name: string
  value: number | boolean
}

interface Properties {
  save: (score: GivenScore) => Promise<void>
  /** What is said once it is saved. */
  saved: string
}

/** A score under a name of the person's choice: pass, fail, or a number. */
export function ScoreForm({ save, saved }: Properties) {
  const [name, setName] = useState('by_hand')
  const [text, setText] = useState('')
  const id = useId()
  const saving = useMutation({
    mutationFn: (value: number | boolean) => save({ name, value }),
    onSuccess: () => setText(''),
  })
  const value = Number(text)
  const isNumber = text.trim() !== '' && Number.isFinite(value)
  const isBusy = saving.isPending || name.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isNumber && !isBusy) saving.mutate(value)
  }

  return (
    <form onSubmit={submit}>
      <label htmlFor={`${id}-name`}>Name of the score</label>
      <input id={`${id}-name`} value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
      <div className="row" role="group" aria-label="Verdict">
        <button type="button" disabled={isBusy} onClick={() => saving.mutate(true)}>
          ✓ Pass
        </button>
        <button type="button" disabled={isBusy} onClick={() => saving.mutate(false)}>
          ✗ Fail
        </button>
        <label htmlFor={`${id}-value`}>or a number</label>
        <input id={`${id}-value`} className="short" inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
        <button type="submit" disabled={isBusy || !isNumber}>
          Save
        </button>
      </div>
      <Failure before="Not saved." error={saving.error} />
      {saving.isSuccess && <p role="status">{saved}</p>}
    </form>
  )
}
