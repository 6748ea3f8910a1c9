import { ApiError } from '@heddle/core-api'
import { parseProjectId } from '@heddle/identity'
import { expect, test } from 'vitest'
import type { TracingClient } from '../../connect.ts'
import { readRows } from './read-rows.ts'

/** A server that returns at most the given number of rows per response. */
function createSource(rowsOfAnswer: number, allRows = 1_000) {
  const limits: number[] = []
  const digests = Array.from({ length: allRows }, (_, row) => `d${row}`)
  const evalResults = {
    async query({ limit, offset }: { limit: number; offset: number }) {
      limits.push(limit)
      if (limit > rowsOfAnswer) throw new ApiError('too_large', 'too large')
      const rows = digests.slice(offset, offset + limit).map((row_digest) => ({ row_digest, evaluations: [] }))
      return { rows, total_rows: digests.length }
    },
  }
  const client = { evalResults } as unknown as TracingClient
  return { limits, digests, source: { client, exactClient: client, project: parseProjectId('a/p'), signal: new AbortController().signal } }
}

async function collect({ source }: ReturnType<typeof createSource>) {
  const progress: number[] = []
  const digests: string[] = []
  for await (const row of readRows(source, ['r'], (read) => progress.push(read))) digests.push(row.row_digest)
  return { progress, digests }
}

test('rows are read in pages, with progress', async () => {
  const server = createSource(500)
  expect(await collect(server)).toEqual({ progress: [500, 1_000], digests: server.digests })
})

test('pages grow, so that a large evaluation takes few queries', async () => {
  const server = createSource(10_000, 20_000)
  expect((await collect(server)).digests).toEqual(server.digests)
  expect(server.limits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000])
})

test('where an answer would be too large, pages are smaller from then on', async () => {
  const server = createSource(130)
  const { digests } = await collect(server)
  expect(digests).toEqual(server.digests)
  expect(server.limits).toEqual([500, 250, 125, 125, 125, 125, 125, 125, 125, 125])
})

test('a row that is too large alone is an error', async () => {
  const server = createSource(0)
  await expect(collect(server)).rejects.toMatchObject({ status: 413 })
  expect(server.limits).toEqual([500, 250, 125, 62, 31, 15, 7, 3, 1])
})
