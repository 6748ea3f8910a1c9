/** Where a cost is from. */
export interface CostSource {
  /** Names of the prices of models that have none under their own name. */
  pricedAs: readonly string[]
  /** Uses of models without a known price whose cost is the one reported by their calls. */
  reported: number
}

/** Where a cost is from, in words; undefined where it is at the prices of its models' own names. */
export function costSourceText({ pricedAs, reported }: CostSource): string | undefined {
  const parts = [
    ...(pricedAs.length === 0 ? [] : [`at the price of ${pricedAs.join(', ')}`]),
    ...(reported === 0
      ? []
      : [`reported by ${reported.toLocaleString('en')} ${reported === 1 ? 'use' : 'uses'} of models without a known price`]),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}
