import { onlineManager, useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Time } from '../../ui/time/time.tsx'
import { toast } from '../../ui/toast.tsx'

/** Age of the shown data, and the number of changes that wait for the connection. Announces when it is back. */
export function OfflineDetails() {
  const [since] = useState(() => new Date().toISOString())
  const waiting = useIsMutating({ predicate: ({ state }) => state.isPaused })
  useEffect(
    () => () => {
      if (onlineManager.isOnline()) toast({ title: 'Connected again' })
    },
    [],
  )
  return (
    <>
      What you see is from <Time value={since} />. {waiting > 0 && `Changes that wait to be saved: ${waiting}. `}
      It continues when the connection is back.
    </>
  )
}
