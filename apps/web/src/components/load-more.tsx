interface Properties {
  count: number
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** Says how many rows are here and whether there are more, with a button for the next ones. */
export function LoadMore({ count, query }: Properties) {
  return (
    <p className="muted" role="status">
      {count.toLocaleString('en')} shown{query.hasNextPage ? '; there are more.' : ', which are all.'}{' '}
      {query.hasNextPage && (
        <button type="button" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Load more
        </button>
      )}
    </p>
  )
}
