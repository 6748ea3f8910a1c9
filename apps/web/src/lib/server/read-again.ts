import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Reads again after a write. A pending first load is cancelled: it began before the write, and would be mistaken for the new result. */
export async function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey })
  await queries.invalidateQueries({ queryKey })
}
