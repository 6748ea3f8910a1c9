import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { noteRecentPage } from './recent-pages.ts'

/** Notes each page when it is left, by its heading. */
export function useNotedPages(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        const title = document.querySelector('main h1')?.textContent
        if (fromLocation && pathChanged && title) noteRecentPage(window.sessionStorage, { href: fromLocation.href, title })
      }),
    [router],
  )
}
