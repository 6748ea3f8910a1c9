/**
 * What a text is made of: a byte (0 to 255), or 256 plus the id of a special token, which is written as a whole and not by its bytes.
 */
export type TextSymbol = number

/** Where the symbols of special tokens begin. */
export const specialSymbols = 256

/** A place in a text: what is being written, and what follows it. Null: the text is complete. Never changes. */
export interface Pending {
  readonly frame: Frame
  readonly rest: Pending | null
}

/** One part of a text while it is written. Frames never change: a symbol leads to new ones, or back to the same. */
export interface Frame {
  /** True when the part may be over here. */
  readonly canEnd: boolean
  /** Appends each place that `symbol` leads to from `here`, whose frame this is; none when it is not allowed. What follows the part is not its business. */
  next(symbol: TextSymbol, here: Pending, out: (Pending | null)[]): void
}

/** More places at once than this are not followed: texts stay valid, but some of many overlapping alternatives are left out. */
const maxPlaces = 256

/** All places where a text may be, since alternatives are followed together. Empty when the text is not allowed; null among them when it may end. */
export type Places = readonly (Pending | null)[]

/** Where `symbol` leads. The work is bounded by the number of places and the depth of what may end at once. */
export function advance(places: Places, symbol: TextSymbol): Places {
  if (places.length === 1) return advanceOne(places[0]!, symbol).slice(0, maxPlaces)
  const known = new Map<Pending, Places>()
  const reached = new Set<Pending | null>()
  for (const place of places) for (const next of advanceOne(place, symbol, known)) reached.add(next)
  return [...reached].slice(0, maxPlaces)
}

/** Alternatives share what follows them; `known` makes them share where that leads as well, so that equal places meet again. */
function advanceOne(place: Pending | null, symbol: TextSymbol, known?: Map<Pending, Places>): Places {
  if (place === null) return []
  const before = known?.get(place)
  if (before !== undefined) return before
  const reached: (Pending | null)[] = []
  place.frame.next(symbol, place, reached)
  if (place.frame.canEnd) reached.push(...advanceOne(place.rest, symbol, known))
  known?.set(place, reached)
  return reached
}

/** True when the text may end at one of these places. */
export function isComplete(places: Places): boolean {
  return places.some((place) => {
    let pending = place
    while (pending?.frame.canEnd) pending = pending.rest
    return pending === null
  })
}
