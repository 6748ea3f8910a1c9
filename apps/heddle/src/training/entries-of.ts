interface Page<T> {
  data: readonly T[]
  has_more: boolean
  last_id: string | null
}

/** The entries of a list in all its pages. A page is read once all entries before it were taken. */
export async function* entriesOf<T>(readPage: (after: string | null) => Promise<Page<T>>): AsyncGenerator<T> {
  let page = await readPage(null)
  yield* page.data
  while (page.has_more) {
    page = await readPage(page.last_id)
    yield* page.data
  }
}
