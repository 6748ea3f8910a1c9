import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBlock, aCallRow, aRefusedBlock, startTestStores, type TestStores } from '../testing/index.ts'
import { systemTiming } from '../timing.ts'
import type { BlockLimits, Analytical } from './analytical.ts'
import { StoreError } from '../work/store-error.ts'
import { createClickHouseStore } from './clickhouse-store.ts'
import type { RefusedRows } from './writes/journaled-batcher.ts'
import { createPartLedger } from './parts/part-ledger.ts'
import { bind, sql, type ParamType, type ParamValue } from './sql.ts'
import { callsTable, type CallRow } from './tables/calls.ts'
import { objectValuesTable } from './tables/object-values.ts'

let stores: TestStores
let analytical: Analytical
const refusals: RefusedRows[] = []
beforeAll(async () => {
  stores = await startTestStores({ onRefused: (refusal) => refusals.push(refusal) })
  analytical = stores.analytical
})
afterAll(() => stores.close())

const insert = (...rows: CallRow[]) => analytical.insert(callsTable, aBlock(callsTable, ...rows))

/** The calls of a project as they were written, by id. */
async function readCalls(project: string): Promise<Record<string, unknown>[]> {
  return analytical.rows(sql`
    SELECT * EXCEPT (idx, started_at, ended_at, expire_at, deleted_at), arrayFlatten(arrayMap(leaf -> [leaf, ifNull(idx.leaf.:String, '')], JSONAllPaths(idx))) AS idx, toUnixTimestamp64Micro(calls.started_at) AS started_at, toUnixTimestamp64Micro(ended_at) AS ended_at,
      toUnixTimestamp64Micro(expire_at) AS expire_at, toUnixTimestamp64Micro(deleted_at) AS deleted_at
    FROM calls FINAL WHERE project_id = ${bind('String', project)} ORDER BY id`)
}

/** A row as the engine answers: 64-bit integers as text. */
function asAnswered(row: CallRow): Record<string, unknown> {
  const wide = new Set([
    'started_at',
    'ended_at',
    'expire_at',
    'deleted_at',
    'wb_run_step',
    'wb_run_step_end',
    'storage_size_bytes',
    'version',
  ])
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, wide.has(name) && value !== null ? String(value) : value]))
}

describe.each(['journaled', 'direct'] as const)('writing, %s', (writes) => {
  const other = { store: undefined as Analytical | undefined }
  beforeAll(() => {
    if (writes === 'journaled') return
    other.store = createClickHouseStore({ target: { engine: stores.engine }, writes, timing: systemTiming })
    analytical = other.store
  })
  afterAll(async () => {
    await other.store?.close()
    analytical = stores.analytical
  })

  test('rows of any content are readable as they were written once the insert has resolved', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    // The range of the type, in few months: each month of an insert is a file.
    const time = fc.oneof(
      fc.constantFrom(-2_208_988_800_000_000, 9_007_199_254_740_991),
      fc.integer({ min: 1_700_000_000_000_000, max: 1_702_000_000_000_000 }),
    )
    const step = fc.option(fc.maxSafeInteger())
    const anyCall = fc.record({
      display_name: text,
      op_name: text,
      thread_id: fc.option(text),
      inputs: text,
      started_at: time,
      ended_at: fc.option(time),
      wb_run_step: step,
      input_refs: fc.array(text, { maxLength: 5 }),
      version: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      idx: fc.option(text, { nil: undefined }).map((leaf) => (leaf === undefined ? [] : ['leaf', leaf])),
    })
    let trial = 0
    await fc.assert(
      fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 20 }), async (parts) => {
        const project_id = `round/trip-${writes}-${trial++}`
        const rows = parts.map((part, index) => aCallRow({ ...part, project_id, id: `call-${index + 10}` }))
        await insert(...rows)
        expect(await readCalls(project_id)).toEqual(rows.map(asAnswered))
      }),
      { numRuns: trials({ usual: 3, long: 100 }) },
    )
  })

  test('one insert may span more monthly partitions than the default limit', async () => {
    const month = 31 * 86_400_000_000
    await insert(
      ...Array.from({ length: 110 }, (_, index) =>
        aCallRow({ project_id: `many/months-${writes}`, id: `c${index}`, started_at: index * month }),
      ),
    )
    expect(await readCalls(`many/months-${writes}`)).toHaveLength(110)
  })

  test('texts in the index stay texts, even if they look like numbers or dates', async () => {
    const leaves = {
      date: '2024-01-02',
      time: '2024-01-02T03:04:05Z',
      number: '123',
      float: '1.50',
      bool: 'true',
      empty: '',
      'a%2Eb': 'dot',
    }
    const idx = Object.entries(leaves).flatMap(([key, leaf]) => [`in.${key}`, leaf])
    await insert(aCallRow({ project_id: `index/types-${writes}`, idx }))
    const [row] = await analytical.rows<{ types: string[]; date: string }>(sql`
      SELECT arrayDistinct(mapValues(JSONAllPathsWithTypes(idx))) AS types, getSubcolumn(idx, ${bind('String', 'in.date')}) AS date
      FROM calls WHERE project_id = ${bind('String', `index/types-${writes}`)}`)
    expect(row).toEqual({ types: ['String'], date: '2024-01-02' })
  })

  test('rows whose index is JSON text, from the journal of an older version, are stored unchanged', async () => {
    const { idx: _, ...others } = callsTable.columns
    const before = { ...callsTable, columns: { ...others, idx: { type: 'String' } } } as const
    const row = { ...aCallRow({ project_id: `older/rows-${writes}` }), idx: '{"in":{"a":"1.50","b%2Ec":"2026-01-01"}}', idx_gaps: '' }
    // A query flushes acknowledged rows to the table: rows of both kinds are never in one journal file.
    const untilStored = () => analytical.rows(sql`SELECT 1 AS one`)
    await untilStored()
    await analytical.insert(before, aBlock(before, row))
    await untilStored()
    await insert(aCallRow({ project_id: `older/rows-${writes}`, id: 'later', idx: ['in.a', '1.50'] }))
    const leaves = sql`SELECT id, idx.in.a.:String AS a, idx.in.\`b%2Ec\`.:String AS b FROM calls WHERE project_id = ${bind('String', `older/rows-${writes}`)} ORDER BY id`
    expect(await analytical.rows(leaves)).toEqual([
      { id: 'call-1', a: '1.50', b: '2026-01-01' },
      { id: 'later', a: '1.50', b: null },
    ])
  })

  test('the row with the highest version wins, and a deleted one is absent', async () => {
    const row = { project_id: `version/s-${writes}`, id: 'v' }
    await insert(aCallRow({ ...row, version: 2n, output: '"second"' }))
    await insert(aCallRow({ ...row, version: 1n, output: '"first"' }))
    expect(await readCalls(`version/s-${writes}`)).toMatchObject([{ output: '"second"' }])
    await insert(aCallRow({ ...row, version: 3n, is_deleted: 1 }))
    expect(await readCalls(`version/s-${writes}`)).toEqual([])
  })

  test('each table has its own inserts', async () => {
    const value = { project_id: `a/b-${writes}`, digest: 'd', val: '{"a":1.0}', idx: ['a', '1.0'], idx_gaps: '', version: 1n }
    await Promise.all([
      insert(aCallRow({ project_id: `a/b-${writes}` })),
      analytical.insert(objectValuesTable, aBlock(objectValuesTable, value)),
    ])
    expect(await analytical.rows(sql`SELECT digest, val FROM object_values WHERE project_id = ${bind('String', `a/b-${writes}`)}`)).toEqual(
      [{ digest: 'd', val: '{"a":1.0}' }],
    )
  })
})

describe('a row that the table refuses', () => {
  const poisoned = (project_id: string) => [
    ...Array.from({ length: 12 }, (_, index) => aBlock(callsTable, aCallRow({ project_id, id: `good-${index}` }))),
    aRefusedBlock({ project_id, id: 'bad' }),
    aBlock(callsTable, aCallRow({ project_id, id: 'more' })),
  ]

  test('is quarantined and reported, and does not hold back others', async () => {
    await Promise.all(poisoned('poi/son').map((block) => analytical.insert(callsTable, block)))
    expect(await readCalls('poi/son')).toHaveLength(13)
    expect(refusals).toEqual([
      {
        path: expect.stringMatching(/journal\/calls\/refused\/\d+\.rows$/),
        error: expect.objectContaining({ kind: 'data', message: expect.stringContaining('Unknown type') }),
      },
    ])
    expect(readFileSync(refusals[0]?.path ?? '').includes('of no type')).toBe(true)
  })

  test('without a journal fails its writer alone', async () => {
    const direct = createClickHouseStore({ target: stores, writes: 'direct', timing: systemTiming })
    const inserts = await Promise.allSettled(poisoned('poi/direct').map((block) => direct.insert(callsTable, block)))
    expect(inserts.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { name: 'StoreError', kind: 'data' } }])
    expect(inserts[12]?.status).toBe('rejected')
    await direct.close()
    expect(await readCalls('poi/direct')).toHaveLength(13)
  })
})

describe('parameters', () => {
  const echo = async (type: ParamType, value: ParamValue) => {
    const [row] = await analytical.rows<{ v: unknown }>(sql`SELECT ${bind(type, value)} AS v`)
    return row?.v
  }

  test('texts of any content come back as they were sent', async () => {
    const hostile = fc.constantFrom(
      "'",
      '\\',
      "\\'",
      '\n',
      '\r\n',
      '\t',
      '--',
      '/*',
      '{p0:String}',
      "'; DROP TABLE calls; --",
      '\u2019',
      '\u0001',
      '\\N',
      '\\x41',
      '%00',
      '&a=b',
      '🧵',
    )
    const text = fc
      .oneof(
        fc.array(hostile, { maxLength: 8 }).map((parts) => parts.join('')),
        fc.string({ unit: 'binary', maxLength: 50 }),
      )
      .map((each) => each.replaceAll('\0', ''))
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { maxLength: 5 }), async (one, many) => {
        expect(await echo('String', one)).toBe(one)
        expect(await echo('Array(String)', many)).toEqual(many)
      }),
      { numRuns: trials({ usual: 10, long: 500 }) },
    )
  })

  test.each<[ParamType, ParamValue, unknown]>([
    ['UInt64', 2n ** 64n - 1n, '18446744073709551615'],
    ['Int64', -5, '-5'],
    ['Float64', 1.5, 1.5],
    ['Bool', true, true],
    ['Nullable(String)', null, null],
    ['Nullable(String)', 'NULL', 'NULL'],
    ['Array(UInt64)', [1, 2n], ['1', '2']],
    ['Array(Float64)', [0.1, -2], [0.1, -2]],
    ['DateTime64(6)', 1_700_000_000_123_456, '2023-11-14 22:13:20.123456'],
    ['DateTime64(6)', 5, '1970-01-01 00:00:00.000005'],
    ['DateTime64(6)', -1_500_000, '1969-12-31 23:59:58.500000'],
    [
      'Array(Tuple(String, String))',
      [
        ["a'", 'b'],
        ['c', '\\'],
      ],
      [
        ["a'", 'b'],
        ['c', '\\'],
      ],
    ],
    ['Array(Tuple(String, String))', [], []],
  ])('%s %o', async (type, value, expected) => {
    expect(await echo(type, value)).toEqual(expected)
  })

  test('a thousand ids and a megabyte of text can be parameters', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => `018f${index}-4e1c-7abc-8def-0123456789ab`)
    expect(await echo('Array(String)', ids)).toEqual(ids)
    const long = "it's ".repeat(200_000)
    expect(await echo('String', long)).toBe(long)
  })

  test('concurrent statements never see parameters of another', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, async (_, index) => [index, await echo('String', `value ${index}`)]))
    expect(answers).toEqual(Array.from({ length: 150 }, (_, index) => [index, `value ${index}`]))
  })

  test('a NUL character and an invalid time are refused by name', async () => {
    await expect(echo('String', 'a\0b')).rejects.toMatchObject({ kind: 'data', message: expect.stringContaining('NUL') })
    await expect(echo('Array(String)', ['a', '\0'])).rejects.toMatchObject({ kind: 'data' })
    await expect(echo('DateTime64(6)', 1.5)).rejects.toMatchObject({ kind: 'data', message: expect.stringContaining('microseconds') })
  })
})

describe('reading', () => {
  const numbers = (count: number) => sql`SELECT toUInt32(number) AS n, repeat('x', 100) AS pad FROM numbers(${bind('UInt64', count)})`

  test('blocks bring all rows in order', async () => {
    let next = 0
    for await (const block of analytical.blocks<{ n: number }>(numbers(50_000))) for (const row of block) expect(row.n).toBe(next++)
    expect(next).toBe(50_000)
  })

  test('a result without rows has no blocks', async () => {
    for await (const block of analytical.blocks(numbers(0))) expect(block).toEqual([])
    expect(await analytical.rows(numbers(0))).toEqual([])
  })

  test('a reader that stops early releases the engine', async () => {
    for (let index = 0; index < 6; index++) {
      for await (const block of analytical.blocks(numbers(5_000_000))) {
        expect(block.length).toBeGreaterThan(0)
        break
      }
    }
    expect(await analytical.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
  })

  test('the engine works on as many rows at a time as a query asks for, else on 4,096', async () => {
    const read = async (limits?: BlockLimits) => {
      const found: { rows: string }[] = []
      const statement = sql`SELECT max(rowNumberInBlock()) + 1 AS rows FROM numbers(100000)`
      for await (const block of analytical.blocks<{ rows: string }>(statement, limits)) found.push(...block)
      return found
    }
    expect(await read()).toEqual([{ rows: '4096' }])
    expect(await read({ rowsAtOnce: 16_384 })).toEqual([{ rows: '16384' }])
  })

  test('an error after the first block is the same error as before it', async () => {
    const read = async () => {
      for await (const block of analytical.blocks(sql`SELECT throwIf(number = 900000) AS v FROM numbers(1000000)`))
        expect(block.length).toBeGreaterThan(0)
    }
    await expect(read()).rejects.toMatchObject({ name: 'StoreError', kind: 'failed', message: expect.stringContaining('throwIf') })
  })

  test.each([
    ['time', 'timeout', sql`SELECT sum(number) FROM numbers(1000000000000)`, { maxSeconds: 1 }],
    ['memory', 'memory', sql`SELECT length(groupArray(number)) FROM numbers(100000000)`, { maxMemoryBytes: 50_000_000 }],
    ['answer size', 'memory', sql`SELECT repeat('x', 1000000) AS x FROM numbers(1000)`, {}],
  ])('a query over its %s ends with %s', async (_, kind, statement, limits) => {
    await expect(analytical.rows(statement, limits)).rejects.toMatchObject({ name: 'StoreError', kind })
    expect(await analytical.rows(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }])
  })

  test('a read cannot write', async () => {
    await expect(analytical.rows(sql`INSERT INTO object_values (digest) SELECT 'x'`)).rejects.toThrow(StoreError)
    await expect(analytical.rows(sql`ALTER TABLE calls DELETE WHERE 1`)).rejects.toThrow(StoreError)
    await expect(analytical.rows(sql`DROP TABLE calls`)).rejects.toThrow(StoreError)
    expect(await analytical.rows(sql`SELECT count() > 0 AS some FROM calls`)).toEqual([{ some: 1 }])
  })

  test('a value that the engine cannot use is a data error', async () => {
    await expect(analytical.rows(sql`SELECT match('a', ${bind('String', '(')})`)).rejects.toMatchObject({ kind: 'data' })
  })
})

test('a delete has removed its rows when it resolves', async () => {
  const values = () => analytical.rows(sql`SELECT digest FROM object_values WHERE project_id = 'to/purge'`)
  await analytical.insert(
    objectValuesTable,
    aBlock(objectValuesTable, { project_id: 'to/purge', digest: 'd', val: '1', idx: [], idx_gaps: '', version: 1n }),
  )
  expect(await values()).toEqual([{ digest: 'd' }])
  await analytical.deleteRows(objectValuesTable, sql`project_id = ${bind('String', 'to/purge')}`)
  expect(await values()).toEqual([])
})

test('health reports version, parts, free disk, stored and pending rows', async () => {
  const { insertedRows } = await analytical.health()
  await analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'counted' })))
  await analytical.rows(sql`SELECT 1`)
  const health = await analytical.health()
  expect(health.insertedRows['calls']).toBe((insertedRows['calls'] ?? 0) + 1)
  expect(health).toMatchObject({
    ready: true,
    version: stores.engine.version,
    restarts: 0,
    waitingBytes: 0,
    oldestWaitingMs: 0,
    detachedParts: 0,
  })
  expect(health.activeParts).toBeGreaterThan(0)
  expect(health.diskFreeBytes).toBeGreaterThan(0)
})

test('health, part snapshots and other metadata queries do not flush acknowledged rows', async () => {
  const own = await startTestStores({ batching: { lingerMs: 60_000 } })
  try {
    await own.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: 'waits' })))
    const before = await own.analytical.health()
    expect(before).toMatchObject({ ready: true })
    expect(before.waitingBytes).toBeGreaterThan(0)
    const ledger = createPartLedger({ analytical: own.analytical, folder: own.dataDir, now: () => 0, delayMs: 0 })
    ledger.noteSoon()
    await expect.poll(() => existsSync(join(own.dataDir, 'parts.json'))).toBe(true)
    expect(await own.analytical.stored.rows(sql`SELECT id FROM calls WHERE id = 'waits'`)).toEqual([])
    expect((await own.analytical.health()).waitingBytes).toBe(before.waitingBytes)
    await ledger.close()
  } finally {
    await own.close()
  }
})

test('a statement of a project waits for acknowledged rows of that project, not for those of others', async () => {
  const own = await startTestStores({ batching: { lingerMs: 60_000 } })
  try {
    const write = (id: string, project_id: string) =>
      own.analytical.insert(callsTable, { ...aBlock(callsTable, aCallRow({ id, project_id })), projects: [project_id] })
    const idsAskedBy = async (project: string) => {
      const scope = { tenant: { caller: 'key', project }, signal: undefined }
      return (await own.analytical.of(scope).rows<{ id: string }>(sql`SELECT id FROM calls ORDER BY id`)).map(({ id }) => id)
    }
    await write('of-greedy', 'acme/greedy')
    expect(await idsAskedBy('acme/calm')).toEqual([])
    expect(await idsAskedBy('acme/greedy')).toEqual(['of-greedy'])
    await write('of-calm', 'acme/calm')
    expect(await idsAskedBy('acme/greedy')).toEqual(['of-greedy'])
    expect(await idsAskedBy('acme/calm')).toEqual(['of-calm', 'of-greedy'])
  } finally {
    await own.close()
  }
})

test('subqueries run on all shards of a cluster', async () => {
  const asked: string[] = []
  const cluster = createServer((request, response) => {
    asked.push(request.url ?? '')
    request.resume().on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(cluster, 'listening')
  const url = `http://127.0.0.1:${(cluster.address() as AddressInfo).port}`
  const store = createClickHouseStore({ target: { url }, timing: systemTiming })
  await store.rows(sql`SELECT 1 WHERE 1 IN (SELECT 1)`)
  await store.close()
  cluster.close()
  expect(asked.join()).toContain('distributed_product_mode=global')
})
