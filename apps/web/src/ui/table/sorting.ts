/** The columns that rows are sorted by, the first one first. */
export type Sorting = readonly { id: string; desc: boolean }[]

/** The result of a press on a header: down, up, and none. An additive press keeps the sorting of other columns. */
export function nextSorting(sorting: Sorting, id: string, isAdding: boolean): Sorting {
  const before = sorting.find((one) => one.id === id)
  const others = isAdding ? sorting.filter((one) => one.id !== id) : []
  if (before === undefined) return [...others, { id, desc: true }]
  return before.desc ? [...others, { id, desc: false }] : others
}
