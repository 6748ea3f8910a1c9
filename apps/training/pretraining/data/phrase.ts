import type { Random } from './random.ts'

const openings = ['Please ', 'Now ', 'Ok, ', 'Hey, ', 'Can you help? ', 'Quick: ']

/** One of the wordings with its `{names}` filled in; sometimes in lower case, without its last punctuation mark, or with a word before it. */
export function phrase(random: Random, wordings: readonly string[], values: Readonly<Record<string, string | number>> = {}): string {
  let text = random.pick(wordings)
  if (random.chance(0.15)) text = text.replace(/[.?!]$/, '')
  if (random.chance(0.15)) text = text.charAt(0).toLowerCase() + text.slice(1)
  else if (random.chance(0.08)) text = random.pick(openings) + text.charAt(0).toLowerCase() + text.slice(1)
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
