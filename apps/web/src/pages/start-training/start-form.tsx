import { getRouteApi } from '@tanstack/react-router'
import type { TrainedModel } from '@heddle/core-api/types'
import { type FormEvent, useState } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { AttemptsForm } from './attempts-form.tsx'
import { ChooseLearner, type Learner } from './choose-learner.tsx'
import { StartJob } from './start-job.tsx'
import type { StartSearch } from './start-search.ts'
import { usePreflight } from './use-preflight.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'

const route = getRouteApi('/$entity/$project/training/start')

interface Properties {
  models: readonly TrainedModel[]
  hasMore: boolean
  baseModels: readonly { id: string; context_length: number }[]
}

/** Training data and model, and a check that reads the attempts before a job is started. */
export function StartForm({ models, hasMore, baseModels }: Properties) {
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
    // The attempts that were read no longer match the settings.
    check.reset()
  }
  return (
    <div className="mx-auto flex max-w-220 flex-col gap-4">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Card title="Model">
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
        </Card>
        <Card title="Training data" note="Attempts at the same task are compared by their rewards">
          <AttemptsForm settings={settings} change={change} />
        </Card>
        <div className="flex items-center gap-3">
          <Button type="submit" size="md" variant={check.data ? 'secondary' : 'primary'} disabled={!isNamed} loading={check.isPending}>
            Check training data
          </Button>
          {check.isPending && (
            <Button size="md" onClick={stop}>
              Stop
            </Button>
          )}
          <span role="status" className="num text-fg-2">
            {check.isPending && progressText(progress)}
          </span>
        </div>
      </form>
      <Failure error={check.error} before="The attempts were not read." />
      {check.data && <StartJob preflight={check.data} learner={learner} />}
    </div>
  )
}

const steps = { scoring: 'Scoring attempts', reading: 'Reading traces', judging: 'Judging groups' }

function progressText(progress: ReturnType<typeof usePreflight>['progress']): string {
  if (!progress) return 'Looking for traces…'
  const { step, done, total, trajectories } = progress
  return `${steps[step]}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}${step === 'reading' ? `, ${trajectories.toLocaleString('en')} attempts so far` : ''}`
}

/** The model of the address, else the newest of the project, else a new one. */
function firstLearner(id: string | undefined, models: readonly TrainedModel[], baseModels: Properties['baseModels']): Learner {
  if (id !== undefined) return { id }
  const newest = models.at(-1)
  return newest ? { id: newest.id } : { name: '', baseModel: baseModels[0]?.id ?? '' }
}
