import type { ReactNode } from 'react'
import { Button } from '../button.tsx'

/** The state of an infinite query's further pages. */
export interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** Loads the next page when pressed. Renders nothing if there is none. */
export function MoreButton({ query, children }: { query: MorePages; children: ReactNode }) {
  if (!query.hasNextPage) return null
  return (
    <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {children}
    </Button>
  )
}

/** Loads the next page as the end of a list becomes visible. After an error it waits for the button. */
export function readAhead(query: MorePages): void {
  if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage()
}
