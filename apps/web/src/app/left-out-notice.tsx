import { defaultParseSearch, useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { pathOnServer } from './base-path.ts'
import { leftOutValues } from './left-out-values.ts'

/** The address as it was opened: the router soon removes from it what the page does not know. */
const opened = { pathname: pathOnServer(window.location.pathname), search: defaultParseSearch(window.location.search) }

/** Says which values of the address that was opened its page does not know, and so has left out. */
export function LeftOutNotice() {
  const router = useRouter()
  const { pathname } = useLocation()
  const [text] = useState(() => {
    const read = router.matchRoutes(opened.pathname, opened.search).at(-1)?.search ?? opened.search
    return leftOutValues(opened.search, read).join(', ')
  })
  if (text === '' || pathname !== opened.pathname) return null
  return (
    <p className="notice" role="status">
      The address had values that this page does not know, and that were left out: {text}
    </p>
  )
}
