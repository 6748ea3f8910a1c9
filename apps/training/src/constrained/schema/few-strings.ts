import type { PatternState } from '../grammar/pattern-automaton.ts'

/** Most strings that are listed one by one if each must occur at most once. */
const maxFewStrings = 1_000

/** All strings of at most `max` characters, the shortest first; null when they are more than `maxFewStrings`. */
export function fewStrings(start: PatternState, max = Infinity): string[] | null {
  const found: string[] = []
  const begun = [{ text: '', state: start, left: max }]
  for (const { text, state, left } of begun) {
    if (state.isEnd) found.push(text)
    for (const { range, to } of state.transitions) {
      if (to.distance >= left) continue
      for (let code = range[0]; code <= range[1]; code += 1) {
        if (found.length > maxFewStrings || begun.length > maxFewStrings * 10) return null
        begun.push({ text: text + String.fromCodePoint(code), state: to, left: left - 1 })
      }
    }
  }
  return found.length > maxFewStrings ? null : found
}
