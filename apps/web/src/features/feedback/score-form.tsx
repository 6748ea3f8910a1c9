import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Failure } from '../../ui/states/failure.tsx'

/** A score from a user: pass or fail, or a number. */
export interface ScoreInput {
  name: string
  value: number | boolean
}

interface Properties {
  save: (score: ScoreInput) => Promise<void>
  /** Message shown once it is saved. */
  saved: string
}

/** A score under a name of the person's choice: pass, fail, or a number. */
export function ScoreForm({ save, saved }: Properties) {
  const [name, setName] = useState('by_hand')
  const [text, setText] = useState('')
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
    <form onSubmit={submit} className="flex flex-col gap-3">
      <TextField label="Name of the score" value={name} maxLength={128} onChange={setName} />
      <div role="group" aria-label="Verdict" className="flex gap-2">
        <Button size="md" icon={Check} className="grow" disabled={isBusy} onClick={() => saving.mutate(true)}>
          Pass
        </Button>
        <Button size="md" icon={X} className="grow" disabled={isBusy} onClick={() => saving.mutate(false)}>
          Fail
        </Button>
      </div>
      <div className="flex items-end gap-2">
        <TextField label="Or a number" className="grow" inputMode="decimal" value={text} onChange={setText} />
        <Button size="md" type="submit" disabled={isBusy || !isNumber}>
          Save
        </Button>
      </div>
      <Failure before="Not saved." error={saving.error} />
      {saving.isSuccess && (
        <p role="status" className="text-xs text-fg-2">
          {saved}
        </p>
      )}
    </form>
  )
}
