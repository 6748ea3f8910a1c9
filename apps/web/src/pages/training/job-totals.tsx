import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { Time } from '../../ui/time/time.tsx'
import { Delta } from '../../ui/badge.tsx'
import { changeText, metricText } from '../../features/curves/metric-name.ts'
import { durationOf } from './job-duration.ts'
import type { Metrics } from '../../features/training/metrics-by-model.ts'
import { costOfJob } from './cost-of-job.ts'
import { tokenPricesQuery } from './token-prices-query.ts'
import type { StepMetrics } from './step-metrics.ts'

interface Properties {
  job: TrainingJob
  model: TrainedModel
  steps: readonly StepMetrics[]
  /** Metrics of the checkpoints of the model, by step, as far as they are loaded. */
  metrics: ReadonlyMap<number, Metrics>
}

/** Totals of a job, above all of its parts: one line where it is wide enough. */
export function JobTotals({ job, model, steps, metrics }: Properties) {
  const project = useProject()
  const tokens = job.trainable_tokens
  const [before, after] = [metrics.get(job.parent_step ?? -1), metrics.get(job.step ?? -1)]
  const last = steps.at(-1)?.values
  const reward = after?.['reward'] ?? last?.get('reward')
  const loss = last?.get('loss')
  return (
    <div role="region" aria-label="Job totals" className="shrink-0 border-b border-line">
      <dl className="flex min-h-14 flex-wrap items-center gap-x-8 gap-y-2 px-4 py-2.5 max-lg:gap-x-5">
        {reward !== undefined && (
          <Total name="Reward">
            {metricText('reward', reward)}
            <Change metric="reward" from={before?.['reward']} to={reward} />
          </Total>
        )}
        {after?.['val/reward'] !== undefined && (
          <Total name="Validation">
            {metricText('reward', after['val/reward'])}
            <Change metric="val/reward" from={before?.['val/reward']} to={after['val/reward']} />
          </Total>
        )}
        {loss !== undefined && (
          <Total name="Loss">
            {metricText('loss', loss)}
            <Change metric="loss" from={steps[0]?.values.get('loss')} to={loss} good="down" />
          </Total>
        )}
        <Total name="Base">{model.base_model}</Total>
        {job.parent_step !== null && <Total name="Policy version">Step {job.parent_step}</Total>}
        {job.step !== null && (
          <Total name="Checkpoint">
            <Link
              to="/$entity/$project/training/models/$model"
              params={{ ...project, model: model.id }}
              className="text-accent-text hover:underline"
            >
              Step {job.step}
            </Link>
          </Total>
        )}
        <Total name={job.training_start === null ? 'Created' : 'Started'}>
          <Time value={job.training_start ?? job.created_at} />
        </Total>
        <Total name={job.training_end === null ? 'Elapsed' : 'Trained for'}>{durationOf(job)}</Total>
        <Total name="Gradient steps">{steps.length.toLocaleString('en')}</Total>
        {tokens !== null && (
          <>
            <Total name="Tokens">{tokens.toLocaleString('en')}</Total>
            <Total name="Cost">
              <JobCost job={job} model={model} />
            </Total>
          </>
        )}
      </dl>
    </div>
  )
}

const Total = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="whitespace-nowrap">
    <dt className="text-2xs text-fg-3">{name}</dt>
    <dd className="num flex items-center gap-1.5 font-medium">{children}</dd>
  </div>
)

interface ChangeProperties {
  metric: string
  from: number | undefined
  to: number
  good?: 'up' | 'down'
}

/** Against the policy that the job began with. Nothing where that is not known. */
function Change({ metric, from, to, good = 'up' }: ChangeProperties) {
  if (from === undefined) return null
  return <Delta value={to - from} text={changeText(metric, to - from)} good={good} className="text-xs" />
}

/** Cost of the tokens that a job learned from, at the price of its base model. */
function JobCost({ job, model: { base_model } }: { job: TrainingJob; model: TrainedModel }) {
  const { id, entity, project } = useProject()
  const { data: prices, isPending } = useQuery(tokenPricesQuery(id, [base_model]))
  if (isPending) return <span aria-busy="true">–</span>
  if (prices === undefined) return <>–</>
  const cost = costOfJob(job, base_model, prices)
  if (cost !== undefined) return <span data-tip={`At the price of prompt tokens of ${base_model}`}>{formatCost(cost)}</span>
  return (
    <>
      <span className="font-normal text-fg-3" data-tip={`The project has no price of ${base_model} from before the job`}>
        No price
      </span>
      <Link
        to="/$entity/$project/settings"
        params={{ entity, project }}
        search={{ part: 'prices' }}
        className="font-normal text-accent-text hover:underline"
      >
        Set price
      </Link>
    </>
  )
}
