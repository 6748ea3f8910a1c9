import { expect, test } from 'vitest'
import { costSourceText } from '@heddle/trace-model'
import { withSource } from './cost-source.tsx'

test.each([
  [{ pricedAs: [], reported: 0 }, undefined],
  [{ pricedAs: ['gpt-4o'], reported: 0 }, 'at the price of gpt-4o'],
  [{ pricedAs: [], reported: 1 }, 'reported by 1 use of models without a known price'],
  [{ pricedAs: ['a', 'b'], reported: 1_200 }, 'at the price of a, b; reported by 1,200 uses of models without a known price'],
])('the source of a cost is told where it is not the price of its own model', (source, text) => {
  expect(costSourceText(source)).toBe(text)
  expect(withSource('$1', source)).toBe(text === undefined ? '$1' : `$1, ${text}`)
})
