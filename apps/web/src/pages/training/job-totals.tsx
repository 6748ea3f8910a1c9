import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { Time } from '../../ui/time/time.tsx'
import { Delta } from '../../ui/badge.tsx'
import { changeText, metricText } from '../../features/curves/metric-name.ts'
import { durationOf } from './job-duration.ts'
import type { Metrics } from '../../features/training/metrics-by-model.ts'
import { type StepMetrics, trainedTokens } from './step-metrics.ts'
import { client } from '../../lib/server/client.ts'
import { toExpression } from '../../features/filter/call-condition.ts'

/** The price of a prompt token of a model in a project at some time. Null where it has none. */
const priceQuery = (project_id: string, model: string, at: string) =>
  queryOptions({
    queryKey: ['price-of-model', project_id, model, at],
    queryFn: async ({ signal }) => {
      const query = toExpression([
        { path: 'llm_id', operator: '=', value: model },
        { path: 'effective_date', operator: '<=', value: at },
      ])
      const sort_by = [{ field: 'effective_date', direction: 'desc' as const }]
      const { results } = await client.costs.query({ project_id, ...(query && { query }), sort_by, limit: 1 }, { signal })
      return results[0]?.prompt_token_cost ?? null
    },
  })

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
  const tokens = trainedTokens(steps)
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
        {tokens !== undefined && (
          <>
            <Total name="Tokens">{Math.round(tokens).toLocaleString('en')}</Total>
            <Total name="Cost">
              <JobCost job={job} model={model} tokens={tokens} />
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
function JobCost({ job, model: { base_model }, tokens }: { job: TrainingJob; model: TrainedModel; tokens: number }) {
  const { id, entity, project } = useProject()
  const { data: price, isPending } = useQuery(priceQuery(id, base_model, job.training_start ?? job.created_at))
  if (isPending) return <span aria-busy="true">–</span>
  if (price === undefined) return <>–</>
  if (price !== null) return <span data-tip={`At the price of prompt tokens of ${base_model}`}>{formatCost(price * tokens)}</span>
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
