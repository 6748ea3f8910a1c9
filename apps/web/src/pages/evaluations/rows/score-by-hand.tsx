import type { EvalTrial } from '@heddle/core-api/types'
import { useQueryClient } from '@tanstack/react-query'
import { PencilLine } from 'lucide-react'
import { client } from '../../../lib/server/client.ts'
import { readAgain } from '../../../lib/server/read-again.ts'
import { useProject } from '../../../lib/use-project.ts'
import { resultsKey } from '../../../features/evaluations/evaluation-queries.ts'
import { type ScoreInput, ScoreForm } from '../../../features/feedback/score-form.tsx'
import { Button } from '../../../ui/button.tsx'
import { Popover } from '../../../ui/popover.tsx'
import { saveScore } from './save-score.ts'

/** Form for a user's score of a trial. It becomes a measure of the run like any other; a second one with the same name replaces the first. */
export function ScoreByHand({ trial, run }: { trial: EvalTrial; run: string }) {
  const project = useProject()
  const queries = useQueryClient()

  async function save(score: ScoreInput) {
    await saveScore(client, project, { trial, run, ...score })
    await readAgain(queries, resultsKey(project.id))
  }

  return (
    <Popover
      label="Score by hand"
      className="w-80 p-4"
      trigger={
        <Button variant="ghost" icon={PencilLine}>
          Score
        </Button>
      }
    >
      {trial.predict_call_id === null ? (
        <p className="text-fg-2">This trial has no model call to attach a score to.</p>
      ) : (
        <ScoreForm save={save} saved="Saved as a score of the run" />
      )}
    </Popover>
  )
}
