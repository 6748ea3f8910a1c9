import { useMutation, useQuery, useQueryClient, queryOptions } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readAgain } from '../../lib/server/read-again.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FormSelect } from '../../ui/form-select.tsx'
import { evaluationsQuery } from '../checkpoint-scores/checkpoint-queries.ts'
import { startRun } from '../checkpoint-scores/start-evaluation.ts'
import { runPagesKey } from '../evaluations/evaluation-queries.ts'
import { client } from '../../lib/server/client.ts'
import { newestObjects } from '../../lib/server/newest-objects.ts'

const maxModels = 100
/** The class of models that the server can run. */
const classOnServer = 'LLMStructuredCompletionModel'

/** The latest version of each of the newest models that the server can run, the newest first. */
const runnableModelsQuery = ({ id: project_id }: ProjectName) =>
  queryOptions({
    queryKey: ['runnable-models', project_id],
    queryFn: async ({ signal }) => {
      const { objects } = await newestObjects(client, { project_id, objectClass: 'Model', most: maxModels }, signal)
      return objects.flatMap(({ object_id: name, digest, val }) =>
        (Object(val) as Record<string, unknown>)['_class_name'] === classOnServer
          ? [{ name, ref: `weave:///${project_id}/object/${name}:${digest}` }]
          : [],
      )
    },
  })

interface Properties {
  project: ProjectName
  /** Name of a dataset: only evaluations of one of its versions are offered. */
  dataset?: string
  onClose: () => void
}

/** Runs an evaluation on a model, both of which the server can run, and leads to the run. */
export function NewRunDialog({ project, dataset, onClose }: Properties) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const evaluations = useQuery(evaluationsQuery(project))
  const models = useQuery(runnableModelsQuery(project))
  const [chosenEvaluation, setEvaluation] = useState<string>()
  const [chosenModel, setModel] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const isOffered = (one: { scorerOfProgram: string | undefined; dataset: string }) =>
    one.scorerOfProgram === undefined && (dataset === undefined || one.dataset.startsWith(`weave:///${project.id}/object/${dataset}:`))
  const offered = evaluations.data?.evaluations.filter(isOffered) ?? []
  const evaluation = chosenEvaluation ?? offered[0]?.ref
  const model = chosenModel ?? models.data?.[0]?.ref
  const start = useMutation({
    mutationFn: (run: { evaluation: string; model: string }) => {
      running.current = new AbortController()
      return startRun(project, run, running.current.signal)
    },
    async onSuccess(run) {
      void readAgain(queries, runPagesKey(project.id))
      await navigate({ to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run } })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="New run"
      description="The server asks the model for every row of the evaluation and scores the answers."
      footer={
        <DialogActions
          onCancel={onClose}
          loading={start.isPending}
          disabled={evaluation === undefined || model === undefined}
          onClick={() => evaluation !== undefined && model !== undefined && start.mutate({ evaluation, model })}
        >
          Run evaluation
        </DialogActions>
      }
    >
      <ShowQuery query={evaluations} what="evaluations">
        {() => (
          <ShowQuery query={models} what="models">
            {(runnable) => (
              <div className="flex flex-col gap-4">
                {evaluation === undefined ? (
                  <Notice title={dataset === undefined ? 'No evaluation for the server' : `No evaluation of ${dataset} for the server`}>
                    Publish one from your code, with scorers that run on the server. Scorers that are code run only in their program.
                  </Notice>
                ) : (
                  <FormSelect
                    label="Evaluation"
                    value={evaluation}
                    choices={offered.map(({ name, ref }) => ({ value: ref, label: name }))}
                    onChange={setEvaluation}
                  />
                )}
                {model === undefined ? (
                  <Notice title="No model for the server">
                    Save a prompt with its model in the playground, or evaluate a checkpoint from its model's page.
                  </Notice>
                ) : (
                  <FormSelect
                    label="Model"
                    value={model}
                    choices={runnable.map(({ name, ref }) => ({ value: ref, label: name }))}
                    onChange={setModel}
                  />
                )}
                <Failure error={start.error} before="The run did not start." />
              </div>
            )}
          </ShowQuery>
        )}
      </ShowQuery>
    </Dialog>
  )
}
