/** The first items of a list as texts, and how many more there are: `a, b, and 3 more`. */
export function listText<Item>(items: readonly Item[], most: number, textOf: (item: Item) => string): string {
  const texts = items.slice(0, most).map(textOf)
  const more = items.length - texts.length
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}
