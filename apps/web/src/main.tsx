import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { pathOnServer } from './app/base-path.ts'
import { publicPage } from './app/public-page.ts'
import { queries, router } from './app/router.tsx'
import { sessionQuery } from './app/session.ts'
import { applyTheme, readTheme } from './app/theme/theme.ts'

applyTheme(readTheme(window.localStorage))
const opened = pathOnServer(window.location.pathname)
// Nearly every page waits for this, so it comes while its own part is looked up.
if (opened !== publicPage) void queries.prefetchQuery(sessionQuery)
// The router would ask for the part of this page once the frame around it is drawn. What fails here fails there again, and is shown.
for (const route of router.getMatchedRoutes(opened)[0]) router.loadRouteChunk(route)?.catch(() => undefined)
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
