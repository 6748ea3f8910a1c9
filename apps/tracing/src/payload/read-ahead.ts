/**
 * Reads each item, the next one while the previous one is used: the store works while the answer is written. At most one is read ahead. A failure is
 * thrown in order, after the items read before it.
 */
export async function* readAhead<Item, Read>(items: AsyncIterable<Item>, read: (item: Item) => Promise<Read>): AsyncGenerator<Read> {
  let next: Promise<Read> | undefined
  for await (const item of items) {
    const current = next
    next = read(item)
    // The reader gets the failure; there is none when it left before.
    next.catch(() => undefined)
    if (current !== undefined) yield await current
  }
  if (next !== undefined) yield await next
}
