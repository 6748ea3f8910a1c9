import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { Time } from '../../ui/time/time.tsx'
import { Card, Facts } from '../../ui/card.tsx'
import { methods } from '../../features/training/methods.ts'

/** The settings that a job was started with, and the times of its status changes. */
export function JobConfig({ job, model }: { job: TrainingJob; model: TrainedModel }) {
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
              'Id',
              <span key="id" className="mono">
                {job.id}
              </span>,
            ],
            ['Method', methods[job.kind].title],
            ['Base model', model.base_model],
            ['Created', <Time key="created" value={job.created_at} />],
            ['Started', job.training_start === null ? '–' : <Time key="started" value={job.training_start} />],
            ['Ended', job.training_end === null ? '–' : <Time key="ended" value={job.training_end} />],
          ]}
        />
      </Card>
    </div>
  )
}
