import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Reads again what a write has changed. A first load that is under way is cancelled: it began before the write, and would be taken for the answer. */
export async function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
