import { isApiError } from '@heddle/core-api'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../lib/server/session.ts'

/**
 * The cache of the server's answers. The client retries transient failures, so the cache does not. If the server reports that the session has ended,
 * the session is checked again, so that the page requests a key.
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
