import type { ReactNode } from 'react'
import { Pending } from './pending.tsx'
import { QueryProblem } from './query-problem.tsx'

interface Properties<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** What is read, for the line that says so. */
  what: string
  children: (data: T) => ReactNode
}

/** The data of a query; until it is there, that it is read; and what went wrong, also beside data from before. */
export function ShowQuery<T>({ query: { data, error, refetch }, what, children }: Properties<T>) {
  return (
    <>
      {Boolean(error) && <QueryProblem error={error} retry={() => void refetch()} />}
      {data === undefined ? !error && <Pending what={what} /> : children(data)}
    </>
  )
}
