import { isApiError } from '@heddle/core-api'
import { type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/** False from a request that the server did not answer, or answered with a server error, until the next one that succeeds. */
export function useServerAnswers(): boolean {
  const queries = useQueryClient()
  const [answers, setAnswers] = useState(true)
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        const outcome = outcomeOf(event)
        if (outcome !== undefined) setAnswers(outcome)
      }),
    [queries],
  )
  return answers
}

function outcomeOf(event: QueryCacheNotifyEvent): boolean | undefined {
  if (event.type !== 'updated') return undefined
  if (event.action.type === 'success') return true
  return event.action.type === 'error' ? !isFailureOfServer(event.action.error) : undefined
}

/** The client gives a request without an answer the status 0 or none. */
function isFailureOfServer(error: unknown): boolean {
  if (!isApiError(error)) return false
  const { status = 0 } = error
  return status === 0 || status >= 500
}
