import { expect, test } from 'vitest'
import { maskPatternNames } from '../processing/mask-patterns.ts'
import { toProcessorSettings } from './processor-options.ts'

const every = [...maskPatternNames]

test.each<[text: string | undefined, masks: string[], warns: boolean]>([
  [undefined, [], false],
  ['none', [], false],
  [' None ', [], false],
  ['all', every, false],
  ['ALL', every, false],
  ['emails, Keys', ['keys', 'emails'], false],
  ['emails,passwords', every, true],
  ['none,emails', every, true],
])('HEDDLE_MASK=%j masks %j', (HEDDLE_MASK, masks, warns) => {
  const warnings: string[] = []
  const settings = toProcessorSettings({ environment: { HEDDLE_MASK } }, (message) => warnings.push(message))
  expect([...settings.masks].toSorted()).toEqual(masks.toSorted())
  expect(warnings.length > 0).toBe(warns)
})
