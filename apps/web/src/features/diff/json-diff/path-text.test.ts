import { expect, test } from 'vitest'
import type { JsonPath } from './diff-json.ts'
import { pathText } from './path-text.ts'

test.each<[JsonPath, string]>([
  [[], 'the whole value'],
  [['choices', { before: 0, after: 0 }, 'text'], 'choices[0].text'],
  [[{ before: 1, after: 2 }], '[1 → 2]'],
  [[{ after: 3 }, 'a'], '[3].a'],
  [[{ before: 4 }], '[4]'],
  [['größe', 'two words', ''], 'größe["two words"][""]'],
  [['a.b'], '["a.b"]'],
])('%j is %s', (path, text) => {
  expect(pathText(path)).toBe(text)
})
