import { explain } from './query-problem.tsx'

/** Says why an action failed. Renders nothing without an error. */
export function Failure({ error, before = '' }: { error: unknown; before?: string }) {
  if (error === null || error === undefined) return null
  return (
    <p role="alert" className="problem">
      {before} {explain(error)}
    </p>
  )
}
