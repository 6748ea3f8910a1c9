import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { afterRequests } from './lib/code/after-requests.ts'
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
const [routes, { entity, project }] = router.getMatchedRoutes(opened)
// Errors of both occur again in the page, which shows them.
const ahead = routes.flatMap(({ options }) => options.staticData?.readAhead ?? [])
for (const read of ahead) read(queries, { search: router.latestLocation.search, project: `${entity}/${project}` }).catch(() => undefined)
// The router would request the code of this page only after its frame is drawn.
const loadCode = () => {
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined)
}
if (ahead.length > 0) void afterRequests().then(loadCode)
else loadCode()
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
