import { expect, test } from 'vitest'
import { readAhead } from './read-ahead.ts'

async function* upTo(count: number) {
  for (let item = 1; item <= count; item++) yield item
}

test('items are read in order, one ahead of the one that is used', async () => {
  const started: number[] = []
  const read = async (item: number) => (started.push(item), item * 10)
  const used: [number, number][] = []
  for await (const value of readAhead(upTo(4), read)) used.push([value, started.length])
  expect(used).toEqual([
    [10, 2],
    [20, 3],
    [30, 4],
    [40, 4],
  ])
})

test('a failure comes after what was read before it, and is not an unhandled rejection when nobody reads on', async () => {
  const read = async (item: number) => {
    if (item === 2) throw new Error('gone')
    return item
  }
  const values: number[] = []
  const all = async () => {
    for await (const value of readAhead(upTo(3), read)) values.push(value)
  }
  await expect(all()).rejects.toThrow('gone')
  expect(values).toEqual([1])
  const left = readAhead(upTo(3), read)
  expect(await left.next()).toEqual({ done: false, value: 1 })
  await left.return(undefined)
})

test('nothing is read where there is nothing', async () => {
  for await (const _ of readAhead(upTo(0), () => Promise.reject(new Error('read')))) throw new Error('used')
})
