import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { noteRecentPage } from './go-to/recent-pages.ts'
import { useGlobalKeys } from './keys/use-global-keys.ts'

const KeysDialog = lazy(async () => ({ default: (await import('./keys/keys-dialog.tsx')).KeysDialog }))
const GoToDialog = lazy(async () => ({ default: (await import('./go-to/go-to-dialog.tsx')).GoToDialog }))

/** The dialogs that every page has, with the keys and buttons that open them. */
export function Overlays() {
  const [shown, setShown] = useState<'keys' | 'go-to'>()
  useGlobalKeys({ onHelp: () => setShown('keys'), onGoTo: () => setShown('go-to') })
  useNotedPages()
  const close = () => setShown(undefined)
  return (
    <>
      <button type="button" onClick={() => setShown('go-to')}>
        Go to <kbd>Ctrl K</kbd>
      </button>
      <button type="button" aria-label="Keys of this page" onClick={() => setShown('keys')}>
        ?
      </button>
      <Suspense>
        {shown === 'keys' && <KeysDialog onClose={close} />}
        {shown === 'go-to' && <GoToDialog onClose={close} />}
      </Suspense>
    </>
  )
}

/** Notes each page when it is left, by its heading. */
function useNotedPages() {
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
