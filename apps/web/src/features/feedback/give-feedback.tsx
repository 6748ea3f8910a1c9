import { useMutation } from '@tanstack/react-query'
import { Gauge, Star, ThumbsDown, ThumbsUp } from 'lucide-react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ScoreForm } from './score-form.tsx'
import { giveScore } from './give-score.ts'
import { Button } from '../../ui/button.tsx'
import { Fold } from '../../ui/fold.tsx'

const reactions = [
  { emoji: '👍', name: 'Good', icon: ThumbsUp },
  { emoji: '👎', name: 'Bad', icon: ThumbsDown },
  { emoji: '⭐', name: 'Star', icon: Star },
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
      <div className="flex flex-wrap gap-2" role="group" aria-label="Reaction">
        {reactions.map(({ emoji, name, icon }) => (
          <Button key={name} icon={icon} disabled={react.isPending} onClick={() => react.mutate(emoji)}>
            {name}
          </Button>
        ))}
      </div>
      <Failure before="Not saved." error={react.error} />
      <Fold icon={Gauge} title="Give a score">
        <ScoreForm
          save={async (score) => {
            await giveScore(client, { project_id, about, ...score })
            onSaved()
          }}
          saved="Saved."
        />
      </Fold>
    </>
  )
}
