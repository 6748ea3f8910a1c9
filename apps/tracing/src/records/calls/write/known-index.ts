import type { CallRow } from '@heddle/datastore'
import { emptyIndex, joinIndexes, unknownIndex, type RowIndex } from '../../../query/build-index.ts'

/** The known part of a call's index while changes are merged into it: all of it, or the parts of its start and its end. */
export type KnownIndex = { whole: RowIndex } | { start: RowIndex | undefined; end: RowIndex | undefined }

/** For a call whose index has to be built again. */
export const unknownParts: KnownIndex = { start: undefined, end: undefined }

/** The index of a stored version, which may have been read without it. For a call without an end, it is the part of its start. */
export function indexOfStored(stored: CallRow | undefined): KnownIndex {
  if (stored === undefined) return { start: emptyIndex, end: emptyIndex }
  const isStartAlone = stored.has_start === 1 && stored.ended_at === null && stored.output === 'null' && stored.summary === '{}'
  return isStartAlone && stored.idx_gaps !== unknownIndex.idx_gaps
    ? { start: { idx: stored.idx, idx_gaps: stored.idx_gaps }, end: emptyIndex }
    : unknownParts
}

export function withStartIndex(known: KnownIndex, start: RowIndex): KnownIndex {
  return { start, end: 'whole' in known ? undefined : known.end }
}

export function withEndIndex(known: KnownIndex, end: RowIndex): KnownIndex {
  return { start: 'whole' in known ? undefined : known.start, end }
}

/** The index of the whole call; undefined when it has to be built from the payloads. */
export function wholeIndex(known: KnownIndex): RowIndex | undefined {
  if ('whole' in known) return known.whole
  return known.start && known.end && joinIndexes(known.start, known.end)
}
