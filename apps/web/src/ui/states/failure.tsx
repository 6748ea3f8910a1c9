import { Notice } from '../notice.tsx'
import { explain } from './query-problem.tsx'
import { RequestId } from './request-id.tsx'

/** Shows why an action failed. Renders nothing without an error. */
export function Failure({ error, before = '', className = 'my-3' }: { error: unknown; before?: string; className?: string }) {
  if (error === null || error === undefined) return null
  return (
    <Notice tone="error" title={`${before} ${explain(error)}`.trim()} className={className}>
      <RequestId error={error} />
    </Notice>
  )
}
