import { isApiError } from '@heddle/core-api'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { sessionQuery } from './session.ts'

/**
 * The cache of what the server has answered. The client repeats what failed for a moment, so the cache does not. Where the server says that
 * the session has ended, it is looked at again, so that the page asks for a key.
 */
export function createQueries(): QueryClient {
  const onError = (error: unknown) => {
    if (isApiError(error) && error.status === 401) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { retry: false, staleTime: 10_000, gcTime: 300_000 } },
  })
  return queries
}
