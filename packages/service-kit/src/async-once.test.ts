import { expect, test } from 'vitest'
import { asyncOnce } from './async-once.ts'

test('callers at the same time and later ones share one run', async () => {
  let runs = 0
  const read = asyncOnce(async () => ++runs)
  expect([...(await Promise.all([read(), read()])), await read()]).toEqual([1, 1, 1])
})

test('all who wait get a failure, and the next call runs again', async () => {
  let runs = 0
  const read = asyncOnce(async () => {
    if (++runs === 1) throw new Error('the store is away')
    return runs
  })
  const failed = await Promise.allSettled([read(), read()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await read()).toBe(2)
})
