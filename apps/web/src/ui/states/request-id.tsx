import { isApiError } from '@heddle/core-api'
import { useLoaded } from './use-loaded.ts'

const loadCopyButton = () => import('../copy-button.tsx').then(({ CopyButton }) => CopyButton)

/** The id of the failed request, by which an operator finds it in the log. Renders nothing where the server sent none. */
export function RequestId({ error }: { error: unknown }) {
  const id = requestIdOf(error)
  return id === undefined ? null : <Shown id={id} />
}

function Shown({ id }: { id: string }) {
  const CopyButton = useLoaded(loadCopyButton)
  return (
    <span className="mt-1 flex items-center gap-1 text-xs text-fg-2">
      Request ID <span className="mono [overflow-wrap:anywhere]">{id}</span>
      {CopyButton && <CopyButton text={id} label="Copy request ID" />}
    </span>
  )
}

/** Some answers of the server are rewritten, and kept as the cause. */
function requestIdOf(error: unknown): string | undefined {
  if (isApiError(error)) return error.requestId
  return error instanceof Error && isApiError(error.cause) ? error.cause.requestId : undefined
}
