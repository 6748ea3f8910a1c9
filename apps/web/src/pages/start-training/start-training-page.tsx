import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { TrainedModel } from '@heddle/core-api'
import { type FormEvent, useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import { ShowQuery } from '../../components/show-query.tsx'
import { modelsQuery } from '../training/training-queries.ts'
import { AttemptsForm } from './attempts-form.tsx'
import { ChooseLearner, type Learner } from './choose-learner.tsx'
import { baseModelsQuery, startJob } from './start-queries.ts'
import type { StartSearch } from './start-search.ts'
import { TrainingReport } from './training-report.tsx'
import { type Preflight, usePreflight } from './use-preflight.ts'

const route = getRouteApi('/$entity/$project/training/start')

/** Starts a training job on attempts that traces recorded, after a report on what it would learn from. */
export function StartTrainingPage() {
  const project = useProject()
  const models = useQuery(modelsQuery(project))
  const baseModels = useQuery(baseModelsQuery)
  return (
    <>
      <h1>Train on recorded attempts</h1>
      <p className="muted">Attempts at the same task are compared by their rewards, and the model learns to answer like the better ones.</p>
      <ShowQuery query={models} what="the models of the project">
        {({ models: all, hasMore }) => (
          <ShowQuery query={baseModels} what="the base models">
            {(known) => <StartForm models={all} hasMore={hasMore} baseModels={known} />}
          </ShowQuery>
        )}
      </ShowQuery>
    </>
  )
}

interface FormProperties {
  models: readonly TrainedModel[]
  hasMore: boolean
  baseModels: readonly { id: string; context_length: number }[]
}

function StartForm({ models, hasMore, baseModels }: FormProperties) {
  const project = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [settings, setSettings] = useState<StartSearch>(search)
  const [learner, setLearner] = useState<Learner>(() => firstLearner(search.model, models, baseModels))
  const { check, progress, stop } = usePreflight(project.id)
  const isNamed = 'id' in learner || learner.name.trim() !== ''
  const baseModel = 'id' in learner ? models.find(({ id }) => id === learner.id)?.base_model : learner.baseModel
  const maxTokens = baseModels.find(({ id }) => id === baseModel)?.context_length

  function submit(event: FormEvent) {
    event.preventDefault()
    const chosen = { ...settings, model: 'id' in learner ? learner.id : undefined }
    void navigate({ search: chosen, replace: true })
    check.mutate({ settings: chosen, maxTokens })
  }
  function change(part: StartSearch) {
    setSettings((before) => ({ ...before, ...part }))
    // What was read is not what would be learned from any more.
    check.reset()
  }
  return (
    <>
      <form onSubmit={submit}>
        <ChooseLearner
          models={models}
          baseModels={baseModels}
          hasMore={hasMore}
          learner={learner}
          onChange={(next) => {
            setLearner(next)
            check.reset()
          }}
        />
        <AttemptsForm settings={settings} change={change} />
        <p className="row">
          <button type="submit" className={check.data ? undefined : 'primary'} disabled={!isNamed || check.isPending}>
            Check what it would learn from
          </button>
          {check.isPending && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
          <span role="status">{check.isPending && progressText(progress)}</span>
        </p>
      </form>
      <Failure error={check.error} before="The attempts were not read." />
      {check.data && <Start preflight={check.data} learner={learner} />}
    </>
  )
}

function Start({ preflight, learner }: { preflight: Preflight; learner: Learner }) {
  const project = useProject()
  const navigate = route.useNavigate()
  const queries = useQueryClient()
  const { plan } = preflight
  const start = useMutation({
    mutationFn: () => startJob(project, learner, preflight),
    async onSuccess(job) {
      void queries.invalidateQueries({ queryKey: ['training-jobs', project.id] })
      void queries.invalidateQueries({ queryKey: ['trained-models', project.id] })
      await navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job } })
    },
  })
  return (
    <TrainingReport plan={plan}>
      {plan.groups > 0 && (
        <p>
          <button type="button" className="primary" disabled={start.isPending} onClick={() => start.mutate()}>
            {start.isPending ? 'Sending the attempts …' : 'Start the training job'}
          </button>
        </p>
      )}
      <Failure error={start.error} before="The job was not started." />
    </TrainingReport>
  )
}

const steps = { scoring: 'Scoring attempts', reading: 'Reading traces', judging: 'Judging groups' }

function progressText(progress: ReturnType<typeof usePreflight>['progress']): string {
  if (!progress) return 'Looking for traces …'
  const { step, done, total, trajectories } = progress
  return `${steps[step]}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${step === 'reading' ? `, ${trajectories.toLocaleString('en')} attempts so far` : ''}`
}

/** The model of the address, else the newest of the project, else a new one. */
function firstLearner(id: string | undefined, models: readonly TrainedModel[], baseModels: FormProperties['baseModels']): Learner {
  if (id !== undefined) return { id }
  const newest = models.at(-1)
  return newest ? { id: newest.id } : { name: '', baseModel: baseModels[0]?.id ?? '' }
}
