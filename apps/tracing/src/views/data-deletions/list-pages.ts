/** A part of a list, in the order of its entries. */
export interface ListPart {
  /** Only entries after this one; `''`: from the first. */
  after: string
  limit: number
}

/** Reads a list in parts, until one is empty. */
export async function* pagesOf(read: (part: ListPart) => Promise<string[]>, limit: number): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const page = await read({ after, limit })
    if (page.length === 0) return
    yield page
    after = page.at(-1) ?? ''
  }
}
