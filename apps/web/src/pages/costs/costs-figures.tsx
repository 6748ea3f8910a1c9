import type { UsageTotal } from '@heddle/core-api/types'
import type { ReactNode } from 'react'
import { percentText } from '../../lib/texts/percent-text.ts'
import { formatCost } from '../../lib/texts/format-cost.ts'
import { changeOf } from '../../features/charts/change-of.ts'
import { Delta } from '../../ui/badge.tsx'
import { Stats } from '../../ui/stat.tsx'
import { sumOfUsage, type UsageSum } from './sum-of-usage.ts'

interface Properties {
  groups: readonly UsageTotal[]
  /** Totals of the previous time range. Undefined until they are known. */
  before: ReadonlyMap<string | null, UsageTotal> | undefined
}

/** Total usage and cost of all models, compared with the previous time range. */
export function CostsFigures({ groups, before }: Properties) {
  const now = sumOfUsage(groups)
  const earlier = before && sumOfUsage([...before.values()])
  const change = (of: (sum: UsageSum) => number | null, good: 'up' | 'down', as?: 'points'): ReactNode => {
    const found = changeOf(of(now), earlier && of(earlier), as)
    return found && <Delta value={found.value} text={found.text} good={good} />
  }
  const cached = ({ input, cached: read }: UsageSum) => (input === 0 ? null : read / input)
  const perUse = ({ cost, priced }: UsageSum) => (cost === null || priced === 0 ? null : (cost / priced) * 1_000)
  return (
    <Stats
      items={[
        { name: 'Cost', value: now.cost === null ? 'No price' : formatCost(now.cost), note: change(({ cost }) => cost, 'down') },
        { name: 'Per 1k calls', value: perUse(now) === null ? '–' : formatCost(perUse(now) ?? 0), note: change(perUse, 'down') },
        { name: 'Model calls', value: count(now.uses), note: change(({ uses }) => uses, 'up') },
        { name: 'Tokens', value: count(now.tokens), note: change(({ tokens }) => tokens, 'down') },
        {
          name: 'Read from cache',
          value: cached(now) === null ? '–' : percentText(cached(now) ?? 0),
          note: change(cached, 'up', 'points'),
        },
      ]}
    />
  )
}

const count = (value: number) => value.toLocaleString('en')
