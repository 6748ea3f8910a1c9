import { Notice } from '../notice.tsx'
import { explain } from './query-problem.tsx'

/** Shows why an action failed. Renders nothing without an error. */
export function Failure({ error, before = '' }: { error: unknown; before?: string }) {
  if (error === null || error === undefined) return null
  return <Notice tone="error" title={`${before} ${explain(error)}`.trim()} className="my-3" />
}
