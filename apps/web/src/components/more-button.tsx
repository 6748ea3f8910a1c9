import type { ReactNode } from 'react'

/** What an infinite query says of its further pages. */
export interface MorePages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** Reads the next page when it is pressed. Nothing where there is none. */
export function MoreButton({ query, children }: { query: MorePages; children: ReactNode }) {
  if (!query.hasNextPage) return null
  return (
    <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {children}
    </button>
  )
}

/** Reads the next page as the end of a list comes into view. A page that could not be read waits for the button. */
export function readAhead(query: MorePages): void {
  if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage()
}
