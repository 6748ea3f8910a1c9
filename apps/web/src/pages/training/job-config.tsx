import type { TrainedModel, TrainingEvent, TrainingJob } from '@heddle/core-api/types'
import { Time } from '../../ui/time/time.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { methods } from '../../features/training/methods.ts'

interface Properties {
  job: TrainingJob
  model: TrainedModel
  events: readonly TrainingEvent[]
}

/** The settings that a job was started with, where it ran, and the times of its status changes. */
export function JobConfig({ job, model, events }: Properties) {
  const settings = Object.entries(job.config)
  return (
    <div className="grid gap-3 p-4 lg:grid-cols-2">
      <Card title="Config">
        {settings.length === 0 ? (
          <p className="text-fg-3">Defaults only</p>
        ) : (
          <Facts
            wide
            rows={settings.map(([name, value]) => [
              name,
              <span key={name} className="mono">
                {String(value)}
              </span>,
            ])}
          />
        )}
      </Card>
      <Card title="Job">
        <Facts
          wide
          rows={[
            [
              'ID',
              <span key="id" className="mono">
                {job.id}
              </span>,
            ],
            ['Method', methods[job.kind].title],
            ['Base model', model.base_model],
            ...libraryFacts(events),
            ['Created', <Time key="created" value={job.created_at} />],
            ['Started', job.training_start === null ? '–' : <Time key="started" value={job.training_start} />],
            ['Ended', job.training_end === null ? '–' : <Time key="ended" value={job.training_end} />],
          ]}
        />
      </Card>
    </div>
  )
}

/** What multiplied matrices, as the first event of the job says. */
function libraryFacts(events: readonly TrainingEvent[]): [string, string][] {
  const library = events.find(({ type }) => type === 'training_started')?.data['library']
  return library === undefined ? [] : [['Numeric library', typeof library === 'string' ? library : 'The engine’s own']]
}
