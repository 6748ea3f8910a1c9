import { type CostSource, costSourceText } from '@heddle/trace-model'

/** A mark after a cost that is not at the prices of its models' own names: it names the price, or shows that calls report it. */
export function CostMark({ source }: { source: CostSource }) {
  const text = costSourceText(source)
  if (text === undefined) return null
  return (
    <span className="text-fg-3" role="note" data-tip={text} aria-label={text}>
      *
    </span>
  )
}

/** A text about a cost with where the cost is from. */
export function withSource(text: string, source: CostSource): string {
  const from = costSourceText(source)
  return from === undefined ? text : `${text}, ${from}`
}
