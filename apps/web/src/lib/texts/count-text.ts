/** A count with its noun: `1 row`, `1,234 rows`. `many` is for a noun whose plural is not with an s. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
