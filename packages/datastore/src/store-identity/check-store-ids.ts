/** The store id that each store is marked with; undefined without a mark. */
export interface StoreMarks {
  /** `isBound`: all stores have had the id. */
  relational: { id: string; isBound: boolean } | undefined
  analytical: string | undefined
  blobs: string | undefined
}

/** The common id if the marks agree, or a description of the mismatch. */
export type MarksVerdict = { id: string } | { mismatch: string }

/**
 * Checks whether relational store, analytical tables and blobs belong together. Stores without an id adopt the id of the others until all have had it
 * once, which completes the marks of an older version without ids and of a start that was killed while writing them. `newId`: used when no store has
 * an id.
 */
export function checkStoreIds({ relational, analytical, blobs }: StoreMarks, newId: string): MarksVerdict {
  if (relational === undefined) {
    if (analytical === undefined && blobs === undefined) return { id: newId }
    const [place, id] = analytical === undefined ? ['the blobs', blobs] : ['the tables of calls', analytical]
    return {
      mismatch: `${place} belong to store ${id}, but the relational database is new: its file was removed, or the configuration names another one`,
    }
  }
  const { id, isBound } = relational
  const others = { 'the tables of calls': analytical, 'the blobs': blobs }
  for (const [place, other] of Object.entries(others)) {
    if (other !== undefined && other !== id)
      return { mismatch: `the relational database belongs to store ${id}, but ${place} belong to store ${other}` }
    if (other === undefined && isBound)
      return {
        mismatch: `the relational database belongs to store ${id}, but ${place} are new: they were removed, or the configuration names others`,
      }
  }
  return { id }
}

/** The id for all stores when an operator declares that they belong together. */
export function chosenId({ relational, analytical, blobs }: StoreMarks, newId: string): string {
  return relational?.id ?? analytical ?? blobs ?? newId
}
