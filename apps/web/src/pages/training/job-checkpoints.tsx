import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { Link } from '@tanstack/react-router'
import { cx } from '../../lib/cx.ts'
import { useProject } from '../../lib/use-project.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { metricText } from '../../features/curves/metric-name.ts'
import type { Metrics } from '../../features/training/metrics-by-model.ts'

/** Number of the newest checkpoints shown. */
const shownCheckpoints = 4

interface Properties {
  job: TrainingJob
  model: TrainedModel
  metrics: ReadonlyMap<number, Metrics>
}

/** The checkpoints of the model around the one that a job created, each with the reward of its training data. */
export function JobCheckpoints({ job, model, metrics }: Properties) {
  const project = useProject()
  const newest = job.step ?? Number.POSITIVE_INFINITY
  const steps = [...metrics.keys()].filter((step) => step <= newest).toSorted((one, other) => other - one)
  const shown = steps.slice(0, shownCheckpoints).toReversed()
  if (shown.length === 0) return null
  return (
    <Card title="Checkpoints" flush className="mx-4 mb-4 shrink-0">
      <ul className="grid grid-cols-2 gap-px overflow-hidden rounded-b-lg border-t border-line bg-line md:grid-cols-4">
        {shown.map((step) => {
          const { reward, loss } = metrics.get(step) ?? {}
          return (
            <li key={step} className={cx('flex', step === job.step ? 'bg-selected' : 'bg-sheet')}>
              <Link
                to="/$entity/$project/training/models/$model"
                params={{ ...project, model: model.id }}
                className="flex min-w-0 grow items-center gap-3 px-4 py-2 -outline-offset-2 pressable"
              >
                <span className="min-w-0 grow">
                  <span className="num block font-medium">Step {step}</span>
                  <span className="num text-xs text-fg-3">
                    {reward !== undefined
                      ? `Reward ${metricText('reward', reward)}`
                      : loss === undefined
                        ? '–'
                        : `Loss ${metricText('loss', loss)}`}
                  </span>
                </span>
                {step === job.step && <Badge tone="accent">This job</Badge>}
              </Link>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
