import type { EvalTrial } from '@heddle/core-api'
import { scoreValues } from '@heddle/evaluations'
import { useProject } from '../../../app/use-project.ts'
import { LongText } from '../../../components/long-text.tsx'
import { toText } from '../../../components/to-text.ts'
import type { MatrixRow } from '../compared-runs.ts'
import { numberText } from '../charts/number-text.ts'

/** All that the runs made of one row: the trials of each, with their scores and traces, beside each other. */
export function RowDetail({ runs, row }: { runs: readonly string[]; row: MatrixRow | undefined }) {
  if (!row) return <p className="notice">The row in the address is not among the rows shown.</p>
  return (
    <section aria-label="Row">
      <h2>Row {row.row.row_digest.slice(0, 12)}</h2>
      <LongText text={toText(row.row.raw_data_row)} label="Row of the dataset" />
      <div className="beside">
        {runs.map((run, at) => (
          <div key={run}>
            <h3>{run}</h3>
            {row.cells[at] ? (
              row.cells[at].trials.map((trial, place) => <Trial key={trial.predict_and_score_call_id} trial={trial} place={place} />)
            ) : (
              <p className="muted">This run has no prediction for the row.</p>
            )}
          </div>
        ))}
      </div>
    </section>
  )
}

function Trial({ trial, place }: { trial: EvalTrial; place: number }) {
  const { entity, project } = useProject()
  const { model_output, scores, model_latency_seconds, total_tokens, predict_and_score_call_id } = trial
  const trace = `/${encodeURIComponent(entity)}/${encodeURIComponent(project)}/calls/${encodeURIComponent(predict_and_score_call_id)}`
  return (
    <div className="trial">
      <p>
        Trial {place + 1} · <a href={trace}>its trace</a>
        {model_latency_seconds !== null && ` · ${numberText(model_latency_seconds, false)} s`}
        {total_tokens !== null && ` · ${total_tokens.toLocaleString('en')} tokens`}
      </p>
      {model_output === null ? (
        <p className="problem">The model has no output: it failed or is still running. See its trace.</p>
      ) : (
        <LongText text={toText(model_output)} label={`Output of trial ${place + 1}`} />
      )}
      <ul>
        {scoreValues(scores).map(({ name, value }) => (
          <li key={name}>
            {name}: {typeof value === 'boolean' ? (value ? '✓ true' : '✗ false') : numberText(value, false)}
          </li>
        ))}
      </ul>
      {Object.keys(scores).length > 0 && (
        <details>
          <summary>All scores</summary>
          <LongText text={toText(scores)} label={`Scores of trial ${place + 1}`} />
        </details>
      )}
    </div>
  )
}
