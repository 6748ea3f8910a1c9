import { isApiError } from '@heddle/core-api'
import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Seconds until `retry` is called, at the time that the server requested. It is called once for an error, and not while the page is hidden.
 * Undefined if the server requested no time.
 */
export function useRetryCountdown(error: unknown, retry: () => void): number | undefined {
  const seconds = isApiError(error) ? error.retryAfterSeconds : undefined
  const [left, setLeft] = useState<number>()
  const onDue = useEffectEvent(retry)
  useEffect(() => {
    if (seconds === undefined) return
    const due = Date.now() + Math.max(1, seconds) * 1000
    const show = () => setLeft(Math.max(0, Math.ceil((due - Date.now()) / 1000)))
    const timer = setInterval(() => {
      show()
      if (Date.now() < due || document.hidden) return
      clearInterval(timer)
      onDue()
    }, 250)
    show()
    return () => clearInterval(timer)
  }, [error, seconds])
  return seconds === undefined ? undefined : left
}
