import { explain } from './query-problem.tsx'

/** Why something that a person asked for was not done. Nothing where there is no error. */
export function Failure({ error, before = '' }: { error: unknown; before?: string }) {
  if (error === null || error === undefined) return null
  return (
    <p role="alert" className="problem">
      {before} {explain(error)}
    </p>
  )
}
