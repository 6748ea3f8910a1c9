import type { ReactNode } from 'react'
import { Pending } from './pending.tsx'
import { QueryProblem } from './query-problem.tsx'

interface Properties<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  /** Name of the data, for the loading message. */
  what: string
  /** Class of the placeholder until it is loaded. */
  className?: string
  /** Placeholder until it is loaded. Default: some lines. */
  pending?: ReactNode
  children: (data: T) => ReactNode
}

/** The data of a query; a placeholder until it is loaded; and its error, also above data from an earlier load. */
export function ShowQuery<T>({ query: { data, error, refetch }, what, className, pending, children }: Properties<T>) {
  const inPlace = (part: ReactNode) => (className === undefined ? part : <div className={className}>{part}</div>)
  return (
    <>
      {Boolean(error) && inPlace(<QueryProblem error={error} retry={() => void refetch()} />)}
      {data === undefined ? !error && inPlace(pending ?? <Pending what={what} />) : children(data)}
    </>
  )
}
