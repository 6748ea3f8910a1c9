import { serverScorerClasses } from '@heddle/core-api/internal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import type { TrainedName } from './checkpoint-of-model.ts'
import { columnsQuery, evaluationsQuery } from './checkpoint-queries.ts'
import { messageOfRow } from './message-of-row.ts'
import { startEvaluation } from './start-evaluation.ts'

interface Properties {
  trained: TrainedName
  /** Of its checkpoints, the newest first. */
  steps: readonly number[]
}

/** Runs an evaluation of the project on a checkpoint, and leads to the run. */
export function EvaluateCheckpoint({ trained, steps }: Properties) {
  const project = useProject()
  return (
    <section aria-labelledby="evaluate-checkpoint">
      <h2 id="evaluate-checkpoint">Evaluate a checkpoint</h2>
      <ShowQuery query={useQuery(evaluationsQuery(project))} what="evaluations">
        {({ evaluations, hasMore }) =>
          evaluations.length === 0 ? (
            <p className="muted">
              The project has no evaluation yet. An evaluation is a dataset with scorers: publish one with evaluations.create, and it can be
              run here on any checkpoint.
            </p>
          ) : (
            <>
              {hasMore && <p className="notice">These are the newest {evaluations.length} evaluations.</p>}
              <OfferedEvaluations trained={trained} steps={steps} evaluations={evaluations} />
            </>
          )
        }
      </ShowQuery>
    </section>
  )
}

interface Evaluations {
  evaluations: readonly { name: string; ref: string; scorerOfProgram: string | undefined }[]
}

/** The evaluations that the server can run, and why it cannot run the others. */
function OfferedEvaluations({ trained, steps, evaluations }: Properties & Evaluations) {
  const offered = evaluations.filter(({ scorerOfProgram }) => scorerOfProgram === undefined)
  const others = evaluations.filter(({ scorerOfProgram }) => scorerOfProgram !== undefined)
  return (
    <>
      {offered.length > 0 && <EvaluateForm trained={trained} steps={steps} evaluations={offered} />}
      {others.length > 0 && (
        <p className="muted">
          {`Not offered: ${namesOf(others.map(({ name }) => name))}. The server runs no scorer that is code of a program, only those of the classes ${serverScorerClasses.join(', ')}. The program that has the code can run such an evaluation itself.`}
        </p>
      )}
    </>
  )
}

const maxNames = 10
const namesOf = (names: readonly string[]) =>
  `${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ` and ${names.length - maxNames} more` : ''}`

function EvaluateForm({ trained, steps, evaluations }: Properties & Evaluations) {
  const project = useProject()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [step, setStep] = useState(steps[0] ?? 0)
  const [evaluation, setEvaluation] = useState(evaluations[0]?.ref ?? '')
  const [typed, setTyped] = useState<string>()
  const columns = useQuery(columnsQuery(project, evaluation))
  const message = typed ?? messageOfRow(columns.data ?? [])
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = useMutation({
    mutationFn: () => {
      running.current = new AbortController()
      return startEvaluation(project, { trained, step, evaluation, message }, running.current.signal)
    },
    async onSuccess(run) {
      void readAgain(queries, ['checkpoint-runs', project.id])
      void readAgain(queries, ['evaluation-runs', project.id])
      await navigate({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run } })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    start.mutate()
  }
  return (
    <form className="fields" onSubmit={submit}>
      <label htmlFor="evaluated-step">Checkpoint</label>
      <select id="evaluated-step" value={step} onChange={({ target }) => setStep(Number(target.value))}>
        {steps.map((one) => (
          <option key={one} value={one}>
            step {one}
          </option>
        ))}
      </select>
      <label htmlFor="evaluation">Evaluation</label>
      <select id="evaluation" value={evaluation} onChange={({ target }) => setEvaluation(target.value)}>
        {evaluations.map(({ name, ref }) => (
          <option key={ref} value={ref}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor="row-message">What the model is sent for each row</label>
      <textarea
        id="row-message"
        rows={2}
        aria-describedby="row-columns"
        value={message}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p id="row-columns" className="muted">
        {columnsText(columns.data)}
      </p>
      <button type="submit" className="primary" disabled={start.isPending || columns.isLoading}>
        {start.isPending ? 'Waiting for the run to begin …' : 'Evaluate this checkpoint'}
      </button>
      <Failure error={columns.error} before="The columns of its dataset were not read." />
      <Failure error={start.error} before="The evaluation did not start." />
      <p className="muted">
        The server runs it.{' '}
        <Link to="/$entity/$project/evaluations" params={project}>
          All evaluation runs
        </Link>
      </p>
    </form>
  )
}

function columnsText(columns: readonly string[] | undefined): string {
  if (columns === undefined || columns.length === 0) return 'A column of the dataset in braces becomes its value in each row.'
  const shown = columns.slice(0, 20).map((name) => `{${name}}`)
  return `Columns of its dataset: ${shown.join(', ')}${columns.length > shown.length ? ` and ${columns.length - shown.length} more` : ''}.`
}
