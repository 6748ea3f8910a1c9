/** Words of providers for their plain service, which has the plain price. */
const plainWords = new Set(['auto', 'default', 'standard', 'standard_only', 'on_demand', 'none', 'unspecified', 'traffic_type_unspecified'])

/** Words that mean the same tier as another one. */
const sameWords: Readonly<Record<string, string>> = {
  batches: 'batch',
  on_demand_priority: 'priority',
  on_demand_flex: 'flex',
}

const longestTier = 32

/**
 * The service tier that a word of a provider or instrumentation names, in lower case: `flex`, `priority`, `batch`, or another one for which a price may be stated.
 * `''` for the plain service, and for anything that is not a word.
 */
export function toServiceTier(word: unknown): string {
  if (typeof word !== 'string' || word.length > longestTier) return ''
  const lower = word
    .trim()
    .toLowerCase()
    .replace(/^service_?tier_/, '')
  if (plainWords.has(lower) || !/^[a-z][a-z0-9_-]*$/.test(lower)) return ''
  return sameWords[lower] ?? lower
}
