import { MoreButton, type MorePages } from './more-button.tsx'

/** Says how many rows are here and whether there are more, with a button for the next ones. */
export function LoadMore({ count, query }: { count: number; query: MorePages }) {
  return (
    <p className="muted" role="status">
      {count.toLocaleString('en')} shown{query.hasNextPage ? '; there are more.' : ', which are all.'}{' '}
      <MoreButton query={query}>Load more</MoreButton>
    </p>
  )
}
