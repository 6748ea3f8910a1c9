import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { type MouseEvent, useState } from 'react'
import { QueryProblem } from '../components/query-problem.tsx'
import { LeftOutNotice } from './left-out-notice.tsx'
import { Overlays } from './overlays.tsx'
import { pageTitle } from './page-title.ts'
import { publicPage } from './public-page.ts'
import { sessionQuery } from './session.ts'
import { SignIn } from './sign-in.tsx'
import { ThemeSwitch } from './theme/theme-switch.tsx'

const signInPath = '/sign-in'

/** What every page has around it. That of a public link asks nobody for a key, and leads nowhere else. */
export function Shell() {
  const { pathname } = useLocation()
  return pathname === publicPage ? <PublicShell /> : <SessionShell />
}

function PublicShell() {
  const skip = (event: MouseEvent) => {
    // The address keeps its token.
    event.preventDefault()
    document.getElementById('content')?.focus()
  }
  return (
    <>
      <title>{pageTitle(publicPage)}</title>
      <a className="skip-link" href="#content" onClick={skip}>
        Skip to content
      </a>
      <header className="top">
        <span className="brand">Heddle</span>
        <span className="grow" />
        <ThemeSwitch />
      </header>
      <LeftOutNotice />
      <Outlet />
    </>
  )
}

/** What pages of projects have around them. Where nobody is signed in, it asks for a key instead of the page; where a session ends, above the page, which keeps what was typed. */
function SessionShell() {
  const session = useQuery(sessionQuery)
  const [wasSignedIn, setWasSignedIn] = useState(false)
  if (session.data && !wasSignedIn) setWasSignedIn(true)
  const { pathname } = useLocation()
  const opensLink = pathname === signInPath
  return (
    <>
      <title>{pageTitle(pathname)}</title>
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <header className="top">
        <Link to="/" className="brand">
          Heddle
        </Link>
        <span className="grow" />
        {session.data && <Overlays />}
        <ThemeSwitch />
        <Link to="/status">Status</Link>
        {session.data && <span className="muted">{session.data.username}</span>}
      </header>
      {session.isPending && <main id="content" aria-busy="true" />}
      {session.isError && !wasSignedIn && (
        <main id="content">
          <QueryProblem error={session.error} retry={() => void session.refetch()} />
        </main>
      )}
      {session.data === null && !opensLink && <SignIn isAgain={wasSignedIn} />}
      {session.data && <LeftOutNotice />}
      {(wasSignedIn || (session.data === null && opensLink)) && <Outlet />}
    </>
  )
}
