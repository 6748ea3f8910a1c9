/** Part of a content: `start` inclusive, `end` exclusive. */
export interface PickedRange {
  start: number
  end: number
}

export interface RangeRequest {
  /** The header as sent. */
  range: string | undefined
  ifRange: string | undefined
  /** Entity tag of the content, quotes included. */
  etag: string
  sizeBytes: number
}

const oneRange = /^bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i

/**
 * The requested part of a content. `whole` without a range, and for a range that may be ignored: several ranges, another unit, an invalid one, or one
 * of another version of the content. `none` if the content has no byte of it.
 */
export function pickRange({ range, ifRange, etag, sizeBytes }: RangeRequest): PickedRange | 'whole' | 'none' {
  const [match, first = '', last = ''] = oneRange.exec(range ?? '') ?? []
  if (match === undefined || (first === '' && last === '')) return 'whole'
  if (ifRange !== undefined && ifRange.trim() !== etag) return 'whole'
  if (first === '') return nonEmpty({ start: Math.max(0, sizeBytes - Number(last)), end: sizeBytes })
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  return nonEmpty({ start: Number(first), end: last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1) })
}

function nonEmpty(range: PickedRange): PickedRange | 'none' {
  return range.start < range.end ? range : 'none'
}
