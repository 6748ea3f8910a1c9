import { expect, test } from 'vitest'
import { SequencedWork } from './sequenced-work.ts'

function startWork(limits = { waiting: 2, waitingBytes: 100 }) {
  const work = new SequencedWork(limits)
  const done: number[] = []
  const add = (number: number | null, { digest = String(number), bytes = 10 } = {}) => {
    let id = ''
    return work.add({ number, digest, bytes }, () => {
      id = `request-${digest}`
      return { requestId: id, run: async () => void done.push(Number(digest)) }
    })
  }
  return { add, done }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('requests are worked on in the order of their numbers, however they arrive', async () => {
  const { add, done } = startWork()
  add(3)
  add(2)
  await settled()
  expect(done).toEqual([])
  add(1)
  await settled()
  expect(done).toEqual([1, 2, 3])
})

test('a request that arrives again is worked on once, and has the same result', async () => {
  const { add, done } = startWork()
  const first = add(1)
  await settled()
  expect(add(1)).toBe(first)
  await settled()
  expect(done).toEqual([1])
})

test('another request with a number that is taken is refused', async () => {
  const { add } = startWork()
  add(1)
  add(3)
  await settled()
  expect(() => add(1, { digest: '7' })).toThrow('the model has worked on another request with seq_id 1; its next one is 2')
  expect(() => add(3, { digest: '7' })).toThrow('seq_id 3')
})

test('requests without a number follow all that have arrived', async () => {
  const { add, done } = startWork({ waiting: 9, waitingBytes: 900 })
  add(2)
  add(null, { digest: '30' })
  add(1)
  add(null, { digest: '40' })
  await settled()
  expect(done).toEqual([1, 2, 30, 40])
})

test('too many that wait are refused until the next one is there, which is always taken', async () => {
  const { add, done } = startWork()
  add(2)
  add(3)
  expect(() => add(4)).toThrow('2 requests of the model wait for seq_id 1; send it first')
  add(1)
  await settled()
  add(4)
  await settled()
  expect(done).toEqual([1, 2, 3, 4])
  const small = startWork({ waiting: 10, waitingBytes: 15 })
  small.add(2)
  expect(() => small.add(3)).toThrow('1 requests of the model wait')
})
