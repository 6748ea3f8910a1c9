const maxListed = 10

/** The first of some names, and how many more there are. */
export function listShort(names: readonly string[]): string {
  const more = names.length - maxListed
  return names.slice(0, maxListed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
