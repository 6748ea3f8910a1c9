import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { useLoaded } from '../../ui/states/use-loaded.ts'

const loadDetails = () => import('./offline-details.tsx').then(({ OfflineDetails }) => OfflineDetails)

/** Says that the browser has no connection. Requests wait for it: when it is back, they are sent and the shown data is refetched. */
export function OfflineNotice() {
  // Before it is needed: without a connection it cannot be loaded.
  const Details = useLoaded(loadDetails)
  const isOnline = useSyncExternalStore(
    (notify) => onlineManager.subscribe(notify),
    () => onlineManager.isOnline(),
  )
  if (isOnline) return null
  return (
    <Notice tone="warning" title="You are offline" className="mx-4 mt-3">
      {Details && <Details />}
    </Notice>
  )
}
