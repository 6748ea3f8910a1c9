/**
 * Reads each item, the next one while the one before is used: the store works while the answer is written. One at most is read ahead.
 * A failure is thrown in its turn, after what was read before it.
 */
export async function* readAhead<Item, Read>(items: AsyncIterable<Item>, read: (item: Item) => Promise<Read>): AsyncGenerator<Read> {
  let next: Promise<Read> | undefined
  for await (const item of items) {
    const current = next
    next = read(item)
    // Whoever takes it hears of the failure; nobody may, when the reader leaves before.
    next.catch(() => undefined)
    if (current !== undefined) yield await current
  }
  if (next !== undefined) yield await next
}
