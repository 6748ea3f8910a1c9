import { QueryClient } from '@tanstack/react-query'

/** The cache of what the server has answered. The client repeats what failed for a moment, so the cache does not. */
export function createQueries(): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 10_000, gcTime: 300_000 } } })
}
