import { isApiError } from '@heddle/core-api'
import { RefreshCw } from 'lucide-react'
import { messageOf } from '../../lib/texts/message-of.ts'
import { isMissingCode } from '../../lib/code/missing-code.ts'
import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'
import { useLoaded } from './use-loaded.ts'

interface Properties {
  error: unknown
  retry: () => void
  /** False for an action, which only the user repeats. Default: the request is repeated at the time that the server has named. */
  retriesItself?: boolean
}

const loadDetails = () => import('./problem-details.tsx').then(({ ProblemDetails }) => ProblemDetails)

/** Shows the server's error in readable form with what helps, and offers to retry. */
export function QueryProblem({ error, retry, retriesItself = true }: Properties) {
  const Details = useLoaded(loadDetails)
  return (
    <Notice
      tone="error"
      title={explain(error)}
      className="my-3"
      actions={
        <Button icon={RefreshCw} onClick={retry}>
          Try again
        </Button>
      }
    >
      {Details && <Details error={error} retry={retry} retriesItself={retriesItself} />}
    </Notice>
  )
}

/** A sentence about an error of the client. */
export function explain(error: unknown): string {
  const message = messageOf(error)
  if (isMissingCode(error)) return 'A part of this page did not load. Check your connection, then reload the page.'
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

/** Invalid input is refused by a RangeError with the permitted input, and some answers of the server are rewritten before they reach this. */
const isForPeople = (error: unknown) => error instanceof RangeError || (error instanceof Error && isApiError(error.cause))
