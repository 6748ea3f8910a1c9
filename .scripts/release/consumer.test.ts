import { expect, test } from 'vitest'
import { contexts } from '../../apps/heddle/src/documentation-tests/testing/typed-blocks.ts'
import { fragments } from './consumer.mjs'

test('the rehearsal leaves out the examples of READMEs that continue another one, and no others', () => {
  const continued: Record<string, number[]> = {}
  for (const { document, positions = [] } of contexts) {
    const folder = /^packages\/([^/]+)\/README\.md$/.exec(document)?.[1]
    if (folder) (continued[`@heddle/${folder}`] ??= []).push(...positions.map((position) => position - 1))
  }
  expect(fragments).toEqual(continued)
})
