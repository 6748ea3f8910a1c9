import { serverScorerClasses } from '@heddle/core-api/internal'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Field, Textarea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { runsQuery } from '../evaluations/evaluation-queries.ts'
import type { TrainedName } from './checkpoint-of-model.ts'
import { checkpointRunsKey, columnsQuery, evaluationsQuery } from './checkpoint-queries.ts'
import { messageOfRow } from './message-of-row.ts'
import { startEvaluation } from './start-evaluation.ts'

interface Properties {
  trained: TrainedName
  /** Steps of its checkpoints, newest first. At least one. */
  steps: readonly number[]
  /** The initial selection. */
  first: number
  onClose: () => void
}

interface Evaluations {
  evaluations: readonly { name: string; ref: string; scorerOfProgram: string | undefined }[]
}

/** Runs an evaluation of the project on a checkpoint, and leads to the run. */
export function EvaluateDialog({ trained, steps, first, onClose }: Properties) {
  const query = useQuery(evaluationsQuery(useProject()))
  const [isReady, setReady] = useState(false)
  const form = useId()
  return (
    <Dialog
      open
      onClose={onClose}
      title="Evaluate a checkpoint"
      footer={
        <DialogActions onCancel={onClose} type="submit" form={form} disabled={!isReady}>
          Evaluate
        </DialogActions>
      }
    >
      <ShowQuery query={query} what="evaluations">
        {({ evaluations, hasMore }) => {
          const offered = evaluations.filter(({ scorerOfProgram }) => scorerOfProgram === undefined)
          return (
            <div className="flex flex-col gap-4">
              {evaluations.length === 0 && (
                <Notice title="No evaluations yet">An evaluation is a dataset with scorers. Publish one with evaluations.create.</Notice>
              )}
              {hasMore && <Notice title={`The newest ${evaluations.length} evaluations`} />}
              {offered.length > 0 && (
                <EvaluateForm form={form} trained={trained} steps={steps} first={first} evaluations={offered} onReady={setReady} />
              )}
              <NotOffered evaluations={evaluations.filter(({ scorerOfProgram }) => scorerOfProgram !== undefined)} />
            </div>
          )
        }}
      </ShowQuery>
    </Dialog>
  )
}

/** Evaluations that the server cannot run, and why. */
function NotOffered({ evaluations }: Evaluations) {
  if (evaluations.length === 0) return null
  const names = evaluations.slice(0, maxNames).map(({ name }) => name)
  const more = evaluations.length - names.length
  return (
    <p className="text-xs text-fg-3">
      {`Not offered: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}. The server runs scorers of the classes ${serverScorerClasses.join(', ')}; a scorer that is code runs in the program that has it.`}
    </p>
  )
}

const maxNames = 10

interface FormProperties extends Omit<Properties, 'onClose'>, Evaluations {
  /** Id that the button below the form names. */
  form: string
  onReady: (isReady: boolean) => void
}

function EvaluateForm({ form, trained, steps, first, evaluations, onReady }: FormProperties) {
  const project = useProject()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [step, setStep] = useState(steps.includes(first) ? first : (steps[0] ?? 0))
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
      void readAgain(queries, checkpointRunsKey(project.id))
      void readAgain(queries, runsQuery(project).queryKey)
      await navigate({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run } })
    },
  })
  const isReady = !start.isPending && !columns.isLoading
  useEffect(() => onReady(isReady), [isReady, onReady])
  return (
    <form
      id={form}
      className="flex flex-col gap-4"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        if (isReady) start.mutate()
      }}
    >
      <div>
        <Select
          label="Checkpoint"
          size="md"
          className="w-full"
          value={String(step)}
          onChange={(next) => setStep(Number(next))}
          choices={steps.map((one) => ({ value: String(one), label: `Step ${one}` }))}
        />
      </div>
      <div>
        <Select
          label="Evaluation"
          size="md"
          className="w-full"
          value={evaluation}
          onChange={setEvaluation}
          choices={evaluations.map(({ name, ref }) => ({ value: ref, label: name }))}
        />
      </div>
      <Field label="Message for each row" help={columnsText(columns.data)}>
        {(ids) => <Textarea {...ids} rows={2} value={message} onChange={({ target }) => setTyped(target.value)} />}
      </Field>
      {start.isPending && (
        <p role="status" className="text-fg-2">
          Waiting for the run to begin…
        </p>
      )}
      <Failure error={columns.error} before="The columns of its dataset were not read." />
      <Failure error={start.error} before="The evaluation did not start." />
    </form>
  )
}

const maxColumns = 20

function columnsText(columns: readonly string[] | undefined): string {
  if (columns === undefined || columns.length === 0) return 'A column of the dataset in braces becomes its value in each row.'
  const shown = columns.slice(0, maxColumns).map((name) => `{${name}}`)
  return `Columns: ${shown.join(', ')}${columns.length > shown.length ? ` and ${columns.length - shown.length} more` : ''}`
}
