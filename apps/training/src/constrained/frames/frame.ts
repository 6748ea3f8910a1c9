/** A unit of text: a byte (0 to 255), or 256 plus the id of a special token, which is written as a whole and not by its bytes. */
export type TextSymbol = number

/** Where the symbols of special tokens begin. */
export const specialSymbols = 256

/** A position in a text: the part being written, and its continuation. Null: the text is complete. Immutable. */
export interface TextPosition {
  readonly frame: Frame
  readonly rest: TextPosition | null
}

/** One part of a text while it is written. Frames never change: a symbol leads to new ones, or back to the same. */
export interface Frame {
  /** True when the part may be over here. */
  readonly canEnd: boolean
  /**
   * Appends each position that `symbol` leads to from `here`, whose frame this is; none if it is not allowed. The frame does not inspect the
   * continuation.
   */
  next(symbol: TextSymbol, here: TextPosition, out: (TextPosition | null)[]): void
}

/** Most positions followed at the same time: texts remain valid, but some of many overlapping alternatives are ignored. */
const maxPlaces = 256

/** All possible positions in a text, since alternatives are followed together. Empty if the text is not allowed; contains null if it may end. */
export type Places = readonly (TextPosition | null)[]

/** The positions that `symbol` leads to. The work is bounded by the number of positions and the depth of parts that may end together. */
export function advance(places: Places, symbol: TextSymbol): Places {
  if (places.length === 1) return advanceOne(places[0]!, symbol).slice(0, maxPlaces)
  const known = new Map<TextPosition, Places>()
  const reached = new Set<TextPosition | null>()
  for (const place of places) for (const next of advanceOne(place, symbol, known)) reached.add(next)
  return [...reached].slice(0, maxPlaces)
}

/** Alternatives share their continuation; `known` makes them share its successors as well, so that equal positions merge again. */
function advanceOne(place: TextPosition | null, symbol: TextSymbol, known?: Map<TextPosition, Places>): Places {
  if (place === null) return []
  const before = known?.get(place)
  if (before !== undefined) return before
  const reached: (TextPosition | null)[] = []
  place.frame.next(symbol, place, reached)
  if (place.frame.canEnd) reached.push(...advanceOne(place.rest, symbol, known))
  known?.set(place, reached)
  return reached
}

/** True if the text may end at one of these positions. */
export function isComplete(places: Places): boolean {
  return places.some((place) => {
    let pending = place
    while (pending?.frame.canEnd) pending = pending.rest
    return pending === null
  })
}
