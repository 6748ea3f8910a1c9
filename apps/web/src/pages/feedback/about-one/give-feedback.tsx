import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { client } from '../../../app/client.ts'
import { useProject } from '../../../app/use-project.ts'
import { Failure } from '../../../components/failure.tsx'
import { ScoreForm } from '../../../components/score-form.tsx'
import { giveScore } from './give-score.ts'

const reactions = [
  { emoji: '👍', name: 'Good' },
  { emoji: '👎', name: 'Bad' },
  { emoji: '⭐', name: 'Star' },
]

type Said = { feedback_type: 'wandb.note.1'; payload: { note: string } } | { feedback_type: 'wandb.reaction.1'; payload: { emoji: string } }

/** Gives a reaction, a note or a score to what `about` is a reference to. What was typed stays until it is saved. */
export function GiveFeedback({ about, onSaved }: { about: string; onSaved: () => void }) {
  const { id: project_id } = useProject()
  const [note, setNote] = useState('')
  const save = useMutation({
    mutationFn: (said: Said) => client.feedback.create({ project_id, weave_ref: about, ...said }),
    onSuccess: onSaved,
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    save.mutate({ feedback_type: 'wandb.note.1', payload: { note } }, { onSuccess: () => setNote('') })
  }

  return (
    <>
      <form onSubmit={submit}>
        <div className="row" role="group" aria-label="Reaction">
          {reactions.map(({ emoji, name }) => (
            <button
              key={name}
              type="button"
              disabled={save.isPending}
              onClick={() => save.mutate({ feedback_type: 'wandb.reaction.1', payload: { emoji } })}
            >
              <span aria-hidden="true">{emoji}</span> {name}
            </button>
          ))}
        </div>
        <label htmlFor="note">Note</label>
        <textarea id="note" rows={2} value={note} onChange={({ target }) => setNote(target.value)} />
        <button type="submit" disabled={note.trim() === '' || save.isPending}>
          Add note
        </button>
        <Failure before="Not saved." error={save.error} />
      </form>
      <details>
        <summary>Give a score</summary>
        <ScoreForm
          save={async (score) => {
            await giveScore(client, { project_id, about, ...score })
            onSaved()
          }}
          saved="Saved."
        />
      </details>
    </>
  )
}
