import { defaultParseSearch, useLocation, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { Notice } from '../ui/notice.tsx'
import { pathOnServer } from '../lib/server/base-path.ts'
import { ignoredSearchParams } from './ignored-search-params.ts'

/** The address as it was opened: the router soon removes from it what the page does not know. */
const opened = { pathname: pathOnServer(window.location.pathname), search: defaultParseSearch(window.location.search) }

/** Lists the values of the opened address that its page does not know, and therefore ignored. */
export function IgnoredParamsNotice() {
  const router = useRouter()
  const { pathname } = useLocation()
  const [text] = useState(() => {
    const read = router.matchRoutes(opened.pathname, opened.search).at(-1)?.search ?? opened.search
    return ignoredSearchParams(opened.search, read).join(', ')
  })
  if (text === '' || pathname !== opened.pathname) return null
  return <Notice className="mx-4 mt-3" title={`Ignored in the address: ${text}`} />
}
