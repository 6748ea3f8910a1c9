import { expect, test } from 'vitest'
import { importedName } from './imported-name.ts'

test('a name stays as the pages write it, and names without a letter of ASCII stay apart', () => {
  expect(importedName('score', 'helpful?')).toBe('helpful')
  expect(importedName('score', '日本')).toMatch(/^score-[0-9a-f]{16}$/)
  expect(importedName('dataset', '日本')).toMatch(/^dataset-[0-9a-f]{16}$/)
  expect(importedName('score', '日本')).not.toBe(importedName('score', '東京'))
})
