import type { Pool } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { serverWork } from '../work/work-scope.ts'
import { postgresPool } from '../relational/postgres-pool.ts'
import type { KeyedLock } from './keyed-lock.ts'
import { postgresLock } from './postgres-lock.ts'
import { processLock } from './process-lock.ts'

const pools: Pool[] = []
afterAll(async () => {
  for (const pool of pools) await pool.end()
})

function newPool(): Pool {
  const pool = postgresPool(inject('postgresUrl'))
  pools.push(pool)
  return pool
}

/** A promise with the function that fulfils it. */
function signal() {
  let fire = () => {}
  const fired = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { fire, fired }
}

const one = (lock: KeyedLock): [KeyedLock, KeyedLock] => [lock, lock]

describe.each([
  { name: 'in one process', isMissing: false, make: (maxWaitMs: number) => one(processLock({ maxWaitMs })) },
  {
    name: 'among servers on PostgreSQL',
    isMissing: inject('postgresUrl') === '',
    make: (maxWaitMs: number): [KeyedLock, KeyedLock] => [
      postgresLock({ pool: newPool(), maxWaitMs }),
      postgresLock({ pool: newPool(), maxWaitMs }),
    ],
  },
])('keyed locks $name', ({ isMissing, make }) => {
  test.skipIf(isMissing)('holders of one key run one after the other', async () => {
    const locks = make(10_000)
    let inside = 0
    let most = 0
    let value = 0
    const increment = (lock: KeyedLock) =>
      lock.withKeys(serverWork, ['counter'], async () => {
        most = Math.max(most, ++inside)
        const seen = value
        await Promise.resolve()
        value = seen + 1
        inside--
      })
    await Promise.all(Array.from({ length: 30 }, (_, index) => increment(index % 2 === 0 ? locks[0] : locks[1])))
    expect({ most, value }).toEqual({ most: 1, value: 30 })
  })

  test.skipIf(isMissing)('holders of different keys run at the same time', async () => {
    const [left, right] = make(10_000)
    const inLeft = signal()
    const inRight = signal()
    await Promise.all([
      left.withKeys(serverWork, ['a'], async () => {
        inLeft.fire()
        await inRight.fired
      }),
      right.withKeys(serverWork, ['b'], async () => {
        inRight.fire()
        await inLeft.fired
      }),
    ])
  })

  test.skipIf(isMissing)('sets of keys in any order and with repetitions never wait in a circle', async () => {
    const [left, right] = make(20_000)
    const sets = [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'c', 'a', 'a'],
      ['c', 'a'],
    ]
    const runs = Array.from({ length: 24 }, (_, index) =>
      (index % 2 === 0 ? left : right).withKeys(serverWork, sets[index % 4] ?? [], async () => index),
    )
    expect(await Promise.all(runs)).toEqual(Array.from({ length: 24 }, (_, index) => index))
  })

  test.skipIf(isMissing)('a caller that waits too long is refused, does not run, and blocks no others', async () => {
    const [left, right] = make(50)
    const held = signal()
    const release = signal()
    const holder = left.withKeys(serverWork, ['x'], async () => {
      held.fire()
      await release.fired
    })
    await held.fired
    await expect(right.withKeys(serverWork, ['w', 'x'], async () => expect.unreachable())).rejects.toMatchObject({
      name: 'StoreError',
      kind: 'busy',
    })
    expect(await right.withKeys(serverWork, ['w'], async () => 'free')).toBe('free')
    release.fire()
    await holder
    expect(await right.withKeys(serverWork, ['x'], async () => 'free again')).toBe('free again')
  })

  test.skipIf(isMissing)('keys are free again after work that throws', async () => {
    const [left, right] = make(10_000)
    await expect(
      left.withKeys(serverWork, ['y'], async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await right.withKeys(serverWork, ['y'], async () => 1)).toBe(1)
  })

  test.skipIf(isMissing)('no keys need no lock', async () => {
    const [left] = make(10_000)
    expect(await left.withKeys(serverWork, [], async () => 1)).toBe(1)
  })
})

describe.skipIf(inject('postgresUrl') === '')('a caller with 20,000 keys on PostgreSQL', () => {
  const busy = { name: 'StoreError', kind: 'busy' }
  /** The locks of a server: who is impatient is refused also where the database was only slow. */
  const aLock = () => {
    const pool = newPool()
    return { patient: postgresLock({ pool, maxWaitMs: 60_000 }), impatient: postgresLock({ pool, maxWaitMs: 50 }) }
  }
  const many = Array.from({ length: 20_000 }, (_, index) => `one/project\0${index}`)

  test('takes a few locks of the server, and excludes holders of any of the keys', async () => {
    const [left, right] = [aLock(), aLock()]
    const looking = newPool()
    await left.patient.withKeys(serverWork, many, async () => {
      const { rows } = await looking.query<{ locks: number }>("SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory'")
      expect(rows[0]?.locks).toBeLessThan(1_000)
      await expect(right.impatient.withKeys(serverWork, ['one/project\u000017'], async () => expect.unreachable())).rejects.toMatchObject(
        busy,
      )
      expect(await right.patient.withKeys(serverWork, ['two/project\u000017'], async () => 'free')).toBe('free')
    })
    await right.patient.withKeys(serverWork, ['one/project\u000019999'], async () => {
      await expect(left.impatient.withKeys(serverWork, many, async () => expect.unreachable())).rejects.toMatchObject(busy)
    })
    expect(await right.patient.withKeys(serverWork, many, async () => 'free again')).toBe('free again')
  })

  test('is not overtaken where its keys are of hundreds of projects', async () => {
    const [left, right] = [aLock(), aLock()]
    const spread = Array.from({ length: 600 }, (_, index) => `project-${index}\0call`)
    await left.patient.withKeys(serverWork, spread, async () => {
      await expect(right.impatient.withKeys(serverWork, ['project-599\0call'], async () => expect.unreachable())).rejects.toMatchObject(
        busy,
      )
    })
  })
})
