import type { TokenConstraint } from '../token-constraint.ts'
import type { Vocabulary } from '../vocabulary.ts'

/** Lets `choose` pick one of the allowed tokens until the text is complete and it returns null. Null when the text has no end within `steps`. */
export function writeText(
  constraint: TokenConstraint,
  size: number,
  choose: (allowed: number[], canEnd: boolean, step: number) => number | null,
  steps = 1000,
) {
  const mask = new Uint8Array(size)
  const tokens: number[] = []
  for (let step = 0; step < steps; step += 1) {
    constraint.writeAllowed(mask)
    const allowed = [...mask.keys()].filter((token) => mask[token] === 1)
    if (allowed.length === 0 && !constraint.canEnd) throw new Error(`nothing is allowed behind ${tokens.length} tokens`)
    const token = allowed.length === 0 ? null : choose(allowed, constraint.canEnd, step)
    if (token === null) return tokens
    constraint.accept(token)
    tokens.push(token)
  }
  return null
}

/** True when the constraint lets these tokens through, one by one, and the text may end behind them. */
export function allows(constraint: TokenConstraint, tokens: Iterable<number>): boolean {
  try {
    for (const token of tokens) constraint.accept(token)
  } catch {
    return false
  }
  return constraint.canEnd
}

/** Random at first, then towards the end of the text. */
export function chooser(numbers: readonly number[], vocabulary: Vocabulary) {
  const toBytes = (texts: string) => [...texts].map((text) => text.codePointAt(0)!)
  const [insideText, elsewhere] = [toBytes('"a'), toBytes('}]"n01:,a')]
  return (allowed: number[], canEnd: boolean, step: number) => {
    if (step < numbers.length) return canEnd && numbers[step]! % 3 === 0 ? null : allowed[numbers[step]! % allowed.length]!
    if (canEnd) return null
    const closing = allowed.includes(0x78) ? insideText : elsewhere
    return (
      closing.find((token) => allowed.includes(token)) ?? allowed.find((token) => vocabulary.symbolsOf(token).length === 1) ?? allowed[0]!
    )
  }
}
