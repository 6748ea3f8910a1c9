import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { useMedia } from '../../lib/use-media.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { whenIdle } from '../../lib/code/when-idle.ts'
import { preloadOverlays } from '../../ui/overlays.tsx'
import { Toasts } from '../../ui/toast.tsx'
import { TooltipLayer } from '../../ui/tooltip.tsx'
import { IgnoredParamsNotice } from '../ignored-params-notice.tsx'
import { pageTitle } from '../page-title.ts'
import { publicPage } from '../public-page.ts'
import { type Session, sessionQuery } from '../../lib/server/session.ts'
import { DialogsOfShell, type ShellDialog } from './dialogs-of-shell.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { PublicFrame } from './public-frame.tsx'
import { Sheet } from './sheet.tsx'
import { Sidebar } from './sidebar.tsx'
import { SkipLink } from './skip-link.tsx'
import { useFocusOnPage } from './use-focus-on-page.ts'

const SignIn = lazyPart(() => import('../../features/sign-in/sign-in.tsx').then(({ SignIn }) => SignIn))
const SignInAgain = lazyPart(() => import('../../features/sign-in/sign-in.tsx').then(({ SignInAgain }) => SignInAgain))

const signInPath = '/sign-in'

/** The frame of every page. Public links need no sign-in and have no navigation. */
export function Shell() {
  const { pathname } = useLocation()
  useEffect(() => whenIdle(preloadOverlays), [])
  return (
    <>
      <title>{pageTitle(pathname)}</title>
      {pathname === publicPage ? <PublicFrame /> : <SessionFrame opensLink={pathname === signInPath} />}
      <Toasts />
      <TooltipLayer />
    </>
  )
}

/** Without a session, it requests a key instead of the page; if a session ends, above the page, which keeps the user's input. */
function SessionFrame({ opensLink }: { opensLink: boolean }) {
  const session = useQuery(sessionQuery)
  const [lastSession, setLastSession] = useState<Session>()
  if (session.data && session.data !== lastSession) setLastSession(session.data)
  if (lastSession) return <SignedInFrame session={lastSession} hasEnded={session.data === null && !opensLink} />
  if (session.data === null) return opensLink ? <Outlet /> : <SignInFirst />
  return (
    <div className="flex h-dvh bg-app p-2">
      <Sheet isBusy={session.isPending}>
        {session.isError && <QueryProblem error={session.error} retry={() => void session.refetch()} />}
      </Sheet>
    </div>
  )
}

const SignInFirst = () => (
  <Suspense>
    <SignIn />
  </Suspense>
)

function SignedInFrame({ session, hasEnded }: { session: Session; hasEnded: boolean }) {
  const isNarrow = useMedia('(max-width: 1023px)')
  const [dialog, setDialog] = useState<ShellDialog>()
  useFocusOnPage()
  return (
    <div className="flex h-dvh overflow-hidden bg-app">
      <SkipLink />
      <Sidebar username={session.username} isNarrow={isNarrow} onSearch={() => setDialog('search')} onHelp={() => setDialog('keys')} />
      <div className="my-2 mr-2 flex min-w-0 grow">
        <Sheet
          notices={
            <>
              <Suspense>{hasEnded && <SignInAgain />}</Suspense>
              <OfflineNotice />
              <IgnoredParamsNotice />
            </>
          }
        >
          <Outlet />
        </Sheet>
      </div>
      <DialogsOfShell shown={dialog} onShow={setDialog} />
    </div>
  )
}
