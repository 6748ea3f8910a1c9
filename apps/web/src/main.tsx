import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pathOnServer } from './lib/server/base-path.ts'
import { publicPage } from './app/public-page.ts'
import { queries, router } from './app/router.tsx'
import { noteMissingCode } from './lib/code/missing-code.ts'
import { sessionQuery } from './lib/server/session.ts'
import { ConfirmProvider } from './ui/confirm/confirm.tsx'
import { applyTheme, readTheme } from './features/theme/theme.ts'

applyTheme(readTheme(window.localStorage))
noteMissingCode()
const opened = pathOnServer(window.location.pathname)
// Nearly every page waits for this, so it is requested while the page's own code is looked up.
if (opened !== publicPage) void queries.prefetchQuery(sessionQuery)
// The router would request the code of this page only after its frame is drawn. An error here occurs there again, and is shown.
for (const route of router.getMatchedRoutes(opened)[0]) router.loadRouteChunk(route)?.catch(() => undefined)
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}
