import type { Condition } from '../call-condition.ts'
import { conditionText } from './parse-filter.ts'

interface Properties {
  where: readonly Condition[]
  /** Undefined: none is left. */
  change: (where: Condition[] | undefined) => void
}

/** A button for each condition, which removes it. */
export function WhereButtons({ where, change }: Properties) {
  return where.map((condition, at) => {
    const text = conditionText(condition)
    const others = where.filter((_, other) => other !== at)
    return (
      <button
        key={text}
        type="button"
        aria-label={`Remove the condition ${text}`}
        onClick={() => change(others.length > 0 ? others : undefined)}
      >
        {text} ×
      </button>
    )
  })
}
