import { parseRef } from '@heddle/core-api'

const shownCharacters = 40

/** The name of the scorer that a reference names; for anything else, its beginning. */
export function scorerName(ref: string): string {
  const parsed = parseRef(ref)
  return parsed?.kind === 'object' || parsed?.kind === 'op' ? parsed.name : ref.slice(0, shownCharacters)
}
