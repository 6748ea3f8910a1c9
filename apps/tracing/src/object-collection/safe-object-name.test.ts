import { expect, test } from 'vitest'
import vectors from '../vectors/evaluation-v2-vectors.json' with { type: 'json' }
import { safeObjectName } from './safe-object-name.ts'

const names = vectors.steps.flatMap((step) => ('name' in step && typeof step.reference === 'string' ? [[step.name, step.reference]] : []))

test('all recorded names are found', () => {
  expect(names.length).toBe(12)
})

test.each(names)('%j is stored under the recorded name', (name, recorded) => {
  expect(safeObjectName(name ?? null, 'Fallback')).toBe(recorded)
})
