import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

function gate() {
  const open: (() => void)[] = []
  const runs: number[][] = []
  const ask = inTurns<number, number>({
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
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return { ask, runs, next: async () => (await settle(), open.shift()?.(), await settle()) }
}

test('requests of one moment go together, and what comes meanwhile goes next', async () => {
  const { ask, runs, next } = gate()
  const first = [ask(1), ask(2)]
  await next()
  const second = [ask(3)]
  expect(await Promise.all(first)).toEqual([2, 2])
  await next()
  expect(await Promise.all(second)).toEqual([1])
  expect(runs).toEqual([[1, 2], [3]])
})

test('a run takes no more than its weight', async () => {
  const { ask, runs, next } = gate()
  const all = [1, 2, 3, 4, 5].map(ask)
  await next()
  await next()
  await Promise.all(all)
  expect(runs).toEqual([
    [1, 2, 3],
    [4, 5],
  ])
})

test('a failure reaches those who were in the run, and the next run goes on', async () => {
  const { ask, next } = gate()
  const [failed] = await Promise.all([Promise.allSettled([ask(-1)]), next()])
  expect(failed).toMatchObject([{ status: 'rejected', reason: { message: 'refused' } }])
  const later = ask(7)
  await next()
  expect(await later).toBe(1)
})
