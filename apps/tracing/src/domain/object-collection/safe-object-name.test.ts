import { expect, test } from 'vitest'
import vectors from '../../vectors/evaluation-v2-vectors.json' with { type: 'json' }
import { safeObjectName } from './safe-object-name.ts'

const names = vectors.steps.flatMap((step) => ('name' in step && typeof step.reference === 'string' ? [[step.name, step.reference]] : []))

test('all recorded names are found', () => {
  expect(names.length).toBe(12)
})

test.each(names)('%j is stored under the recorded name', (name, recorded) => {
  expect(safeObjectName(name ?? null, 'Fallback')).toBe(recorded)
})

test('a name of more than 10,000 characters is refused with its length', () => {
  expect(safeObjectName(`${'!'.repeat(9_999)}a`, 'Fallback')).toBe('a')
  expect(() => safeObjectName(' '.repeat(10_001), 'Fallback')).toThrow('name has 10001 characters; at most 10000 are allowed')
})
