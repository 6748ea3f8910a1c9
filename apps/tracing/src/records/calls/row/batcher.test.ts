import { expect, test } from 'vitest'
import { createBatcher } from './batcher.ts'

function gate() {
  const open: (() => void)[] = []
  const runs: number[][] = []
  const request = createBatcher<number, number>({
    run: async (requests) => {
      runs.push([...requests])
      await new Promise<void>((resolve) => open.push(resolve))
      if (requests.includes(-1)) throw new Error('refused')
      return requests.length
    },
    weigh: () => 1,
    maxWeight: 3,
  })
  const settle = async () => {
    for (let tick = 0; tick < 5; tick++) await Promise.resolve()
  }
  return { request, runs, next: async () => (await settle(), open.shift()?.(), await settle()) }
}

test('requests of one tick run together, and those that come meanwhile run next', async () => {
  const { request, runs, next } = gate()
  const first = [request(1), request(2)]
  await next()
  const second = [request(3)]
  expect(await Promise.all(first)).toEqual([2, 2])
  await next()
  expect(await Promise.all(second)).toEqual([1])
  expect(runs).toEqual([[1, 2], [3]])
})

test('a batch takes no more than its weight', async () => {
  const { request, runs, next } = gate()
  const all = [1, 2, 3, 4, 5].map(request)
  await next()
  await next()
  await Promise.all(all)
  expect(runs).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('an error reaches the callers of its batch, and the next batch runs', async () => {
  const { request, next } = gate()
  const [failed] = await Promise.all([Promise.allSettled([request(-1)]), next()])
  expect(failed).toMatchObject([{ status: 'rejected', reason: { message: 'refused' } }])
  const later = request(7)
  await next()
  expect(await later).toBe(1)
})
