import { isApiError } from '@heddle/core-api'
import { CopyButton } from '../copy-button.tsx'

/** The id of the failed request, by which an operator finds it in the log. Renders nothing where the server sent none. */
export function RequestId({ error }: { error: unknown }) {
  const id = requestIdOf(error)
  if (id === undefined) return null
  return (
    <span className="mt-1 flex items-center gap-1 text-xs text-fg-2">
      Request ID <span className="mono [overflow-wrap:anywhere]">{id}</span>
      <CopyButton text={id} label="Copy request ID" />
    </span>
  )
}

/** Some answers of the server are rewritten, and kept as the cause. */
function requestIdOf(error: unknown): string | undefined {
  if (isApiError(error)) return error.requestId
  return error instanceof Error && isApiError(error.cause) ? error.cause.requestId : undefined
}
