import type { EvalTrial } from '@heddle/core-api'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'
import { readAgain } from '../../../app/read-again.ts'
import { useProject } from '../../../app/use-project.ts'
import { type GivenScore, ScoreForm } from '../../../components/score-form.tsx'
import { saveScore } from './save-score.ts'

/** Gives a trial a score of a person. It becomes a measure of the run as any other; a second one of the same name replaces the first. */
export function ScoreByHand({ trial, run }: { trial: EvalTrial; run: string }) {
  const project = useProject()
  const queries = useQueryClient()

  async function save(score: GivenScore) {
    await saveScore(client, project, { trial, run, ...score })
    await Promise.all(['evaluation-results', 'evaluation-summaries'].map((key) => readAgain(queries, [key, project.id])))
  }

  return (
    <details>
      <summary>Score by hand</summary>
      {trial.predict_call_id === null ? (
        <p className="muted">This trial has no call of the model, so a score cannot be joined to it.</p>
      ) : (
        <ScoreForm save={save} saved="Saved. It is among the measures of the run." />
      )}
    </details>
  )
}
