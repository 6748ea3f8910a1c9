import { useMutation } from '@tanstack/react-query'
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

/** Gives a reaction or a score to what `about` is a reference to. */
export function GiveFeedback({ about, onSaved }: { about: string; onSaved: () => void }) {
  const { id: project_id } = useProject()
  const react = useMutation({
    mutationFn: (emoji: string) =>
      client.feedback.create({ project_id, weave_ref: about, feedback_type: 'wandb.reaction.1', payload: { emoji } }),
    onSuccess: onSaved,
  })
  return (
    <>
      <div className="row" role="group" aria-label="Reaction">
        {reactions.map(({ emoji, name }) => (
          <button key={name} type="button" disabled={react.isPending} onClick={() => react.mutate(emoji)}>
            <span aria-hidden="true">{emoji}</span> {name}
          </button>
        ))}
      </div>
      <Failure before="Not saved." error={react.error} />
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
