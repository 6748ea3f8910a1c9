import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { withTime } from './pace.ts'

const noTimes: readonly number[] = []

/** How long the last items of a queue took on this page, in milliseconds, oldest first. `add` notes one more. */
export function useItemTimes(queue: string) {
  const { id } = useProject()
  const queries = useQueryClient()
  const queryKey = ['annotation-times', id, queue]
  const { data: times = noTimes } = useQuery({ queryKey, queryFn: () => noTimes, staleTime: Infinity })
  return {
    times,
    add: (tookMs: number) => void queries.setQueryData(queryKey, (before: readonly number[] = noTimes) => withTime(before, tookMs)),
  }
}
