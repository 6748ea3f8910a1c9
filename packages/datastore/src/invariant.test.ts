import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { countInvariantFailure, invariant, InvariantError, invariantFailures, onInvariantFailure } from './invariant.ts'

test('an invariant that holds is neither counted nor described', () => {
  const name = `test.${randomUUID()}`
  invariant(true, name, () => {
    throw new Error('described')
  })
  expect(invariantFailures()).not.toHaveProperty([name])
})

test('each failure throws and is counted, and the first is reported', () => {
  const name = `test.${randomUUID()}`
  const reported: InvariantError[] = []
  const stop = onInvariantFailure((error) => void reported.push(error))
  const fail = () => invariant(false, name, () => '1 is not above 2')
  expect(fail).toThrow(InvariantError)
  expect(fail).toThrow(`invariant ${name} does not hold: 1 is not above 2; this is a bug, please report it`)
  countInvariantFailure(new InvariantError(name, 'in another process'))
  expect(invariantFailures()[name]).toBe(3)
  expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining('1 is not above 2')])
  stop()
  const other = `test.${randomUUID()}`
  expect(() => invariant(false, other)).toThrow(other)
  expect(reported).toHaveLength(1)
})
