import { isOneOf } from '@heddle/trace-model/query'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import type { TokenPrice } from './cost-of-job.ts'

const fields = ['llm_id', 'effective_date', 'prompt_token_cost']

/** All prices of base models in a project, the newest first. */
export const tokenPricesQuery = (project_id: string, bases: readonly string[]) =>
  queryOptions({
    queryKey: ['token-prices', project_id, bases],
    queryFn: async ({ signal }): Promise<readonly TokenPrice[]> => {
      const query = { $expr: isOneOf('llm_id', bases) }
      const sort_by = [{ field: 'effective_date', direction: 'desc' as const }]
      return (await client.costs.query({ project_id, fields, query, sort_by }, { signal })).results
    },
  })
