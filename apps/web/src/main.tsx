import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './app/create-queries.ts'
import { router } from './app/router.tsx'
import { applyTheme, readTheme } from './app/theme/theme.ts'

applyTheme(readTheme(window.localStorage))
const root = document.querySelector('#root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueries()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
