import { MoreButton, type MorePages } from './more-button.tsx'

/** Shows how many rows are loaded and whether there are more, with a button for the next ones. */
export function LoadMore({ count, query }: { count: number; query: MorePages }) {
  return (
    <p className="mt-3 flex items-center gap-3 text-xs text-fg-3" role="status">
      {query.hasNextPage ? `${count.toLocaleString('en')} loaded` : `${count.toLocaleString('en')} in total`}{' '}
      <MoreButton query={query}>Load more</MoreButton>
    </p>
  )
}
