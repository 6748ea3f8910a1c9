import type { EvalTrial } from '@heddle/core-api'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { saveScore } from './save-score.ts'

/** Gives a trial a score of a person. It becomes a measure of the run as any other; a second one of the same name replaces the first. */
export function ScoreByHand({ trial, run }: { trial: EvalTrial; run: string }) {
  const project = useProject()
  const queries = useQueryClient()
  const [name, setName] = useState('by_hand')
  const [text, setText] = useState('')
  const id = useId()
  const save = useMutation({
    mutationFn: (value: number | boolean) => saveScore(client, project, { trial, run, name, value }),
    onSuccess: async () => {
      setText('')
      await Promise.all(['evaluation-results', 'evaluation-summaries'].map((key) => readAgain(queries, [key, project.id])))
    },
  })
  const value = Number(text)
  const isNumber = text.trim() !== '' && Number.isFinite(value)
  const isBusy = save.isPending || name.trim() === ''

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isNumber && !isBusy) save.mutate(value)
  }

  return (
    <details>
      <summary>Score by hand</summary>
      {trial.predict_call_id === null ? (
        <p className="muted">This trial has no call of the model, so a score cannot be joined to it.</p>
      ) : (
        <form onSubmit={submit}>
          <label htmlFor={`${id}-name`}>Name of the score</label>
          <input id={`${id}-name`} value={name} maxLength={128} onChange={({ target }) => setName(target.value)} />
          <div className="row" role="group" aria-label="Verdict">
            <button type="button" disabled={isBusy} onClick={() => save.mutate(true)}>
              ✓ Pass
            </button>
            <button type="button" disabled={isBusy} onClick={() => save.mutate(false)}>
              ✗ Fail
            </button>
            <label htmlFor={`${id}-value`}>or a number</label>
            <input id={`${id}-value`} className="short" inputMode="decimal" value={text} onChange={({ target }) => setText(target.value)} />
            <button type="submit" disabled={isBusy || !isNumber}>
              Save
            </button>
          </div>
          <Failure before="Not saved." error={save.error} />
          {save.isSuccess && <p role="status">Saved. It is among the measures of the run.</p>}
        </form>
      )}
    </details>
  )
}
