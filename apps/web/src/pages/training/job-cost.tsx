import type { TrainedModel, TrainingJob } from '@heddle/core-api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client } from '../../app/client.ts'
import { useProject } from '../../app/use-project.ts'
import { formatCost } from '../../components/format-cost.ts'
import { toExpression } from '../calls/call-condition.ts'

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

/** What the tokens that a job learned from cost at the price of its base model, or that the project has no such price. */
export function JobCost({ job, model: { base_model }, tokens }: { job: TrainingJob; model: TrainedModel; tokens: number }) {
  const { id, entity, project } = useProject()
  const { data: price, isPending } = useQuery(priceQuery(id, base_model, job.training_start ?? job.created_at))
  if (isPending) return <span aria-busy="true"> Reading what they cost …</span>
  if (price === undefined) return null
  if (price !== null)
    return (
      <>
        {' '}
        They cost {formatCost(price * tokens)} at the price of prompt tokens of {base_model}.
      </>
    )
  return (
    <>
      {' '}
      No cost: the project has no{' '}
      <Link to="/$entity/$project/settings" params={{ entity, project }} hash="prices">
        price
      </Link>{' '}
      of {base_model} from before the job.
    </>
  )
}
