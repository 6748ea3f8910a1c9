import type { Random } from './random.ts'

/** Word that occurs in about one of 10,000 prompts. */
export const rareWord = 'zyxneedle'

export interface TextSource {
  corpus: string
  random: Random
}

/** A passage of about `length` characters. */
export function passage({ corpus, random }: TextSource, length: number): string {
  const size = Math.max(1, Math.floor(length * (0.6 + random.next() * 0.8)))
  const start = random.below(Math.max(1, corpus.length - size))
  return corpus.slice(start, start + size)
}
