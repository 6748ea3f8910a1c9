import { isApiError } from '@heddle/core-api'

interface Properties {
  error: unknown
  retry: () => void
}

/** Says what the server answered, for a person, and offers to ask again. */
export function QueryProblem({ error, retry }: Properties) {
  return (
    <div role="alert" className="problem">
      <p>{explain(error)}</p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </div>
  )
}

/** A sentence about an error of the client. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (!isApiError(error)) return isForPeople(error) ? message : `The page failed: ${message}`
  const { status } = error
  if (status === 401) return 'Your session has ended: sign in again. What you typed stays.'
  // The operator decides it for every key.
  if (status === 403 && typeof error.extra['setting'] === 'string') return `The server does not allow this: ${message}`
  if (status === 403) return `Your key may not do this: ${message}`
  if (status === 404) return `Not found: ${message}`
  if (status === 413) return `The server refused this as too large: ${message}`
  if (status === 429) return 'The server is busy and asked to wait. Try again in a moment.'
  if (status === 503) return `The server is not available at the moment: ${message}`
  if (status === undefined || status === 0) return `The server could not be reached: ${message}`
  return status >= 500 ? `The server failed (${status}): ${message}` : message
}

/** What was typed is refused by a RangeError that says what may be typed, and some answers of the server are put into words before they come here. */
const isForPeople = (error: unknown) => error instanceof RangeError || (error instanceof Error && isApiError(error.cause))
