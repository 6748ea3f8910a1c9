import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { toExpression } from '../../features/filter/call-condition.ts'

/** The price of a prompt token of a model in a project at some time. Null where it has none. */
export const priceQuery = (project_id: string, model: string, at: string) =>
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
