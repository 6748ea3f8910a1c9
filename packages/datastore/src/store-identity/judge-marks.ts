/** Ids of the store that each place names; undefined where it names none. */
export interface StoreMarks {
  /** `isBound`: once all places had the id. */
  records: { id: string; isBound: boolean } | undefined
  analytical: string | undefined
  blobs: string | undefined
}

/** What follows from the marks: the id of the store, where they agree, or what does not belong together. */
export type MarksVerdict = { id: string } | { mismatch: string }

/**
 * Whether records, analytical tables and blobs belong together. Places without an id belong to those with one until all of them had it once, so
 * stores of a version without ids, and a start that was killed while it wrote them, are completed.
 * `newId`: the id of a store that has none.
 */
export function judgeMarks({ records, analytical, blobs }: StoreMarks, newId: string): MarksVerdict {
  if (records === undefined) {
    if (analytical === undefined && blobs === undefined) return { id: newId }
    const [place, id] = analytical === undefined ? ['the blobs', blobs] : ['the tables of calls', analytical]
    return {
      mismatch: `${place} belong to the store ${id}, and the database of records is new: its file was removed, or another one is named`,
    }
  }
  const { id, isBound } = records
  const others = { 'the tables of calls': analytical, 'the blobs': blobs }
  for (const [place, other] of Object.entries(others)) {
    if (other !== undefined && other !== id)
      return { mismatch: `the records belong to the store ${id}, and ${place} to the store ${other}` }
    if (other === undefined && isBound)
      return { mismatch: `the records belong to the store ${id}, and ${place} are new: they were removed, or others are named` }
  }
  return { id }
}

/** The id that all places get where someone says that they belong together. */
export function chosenId({ records, analytical, blobs }: StoreMarks, newId: string): string {
  return records?.id ?? analytical ?? blobs ?? newId
}
