import { isApiError } from '@heddle/core-api'
import { trials } from '@heddle/testing'
import { parseJson } from '@heddle/json'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BodyPiece } from './body-splitter.ts'
import { readGroups, readTrajectories } from './read-groups.ts'
import { readPieces } from './read-pieces.ts'

/** The bytes in chunks that end at the given places. */
async function* chunks(text: string, cuts: readonly number[] = []): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((left, right) => left - right)
  let at = 0
  for (const end of ends) {
    yield bytes.subarray(at, end)
    at = end
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const key = fc
  .string()
  .filter((text) => !['trajectories', 'trajectory_groups', 'exceptions', 'metrics', 'metadata', 'logs', '__proto__'].includes(text))
const trajectory = fc.jsonValue({ maxDepth: 3 })
const group = fc.record({
  trajectories: fc.array(trajectory, { maxLength: 4 }),
  exceptions: fc.array(fc.jsonValue()),
  other: fc.jsonValue(),
})
const body = fc.record({ extra: fc.dictionary(key, fc.jsonValue(), { maxKeys: 3 }), groups: fc.array(group, { maxLength: 4 }) })
const cuts = fc.array(fc.nat(10_000), { maxLength: 12 })

test('the groups are those of the whole body, wherever its chunks end and however it is indented', async () => {
  await fc.assert(
    fc.asyncProperty(body, cuts, fc.constantFrom(0, 1, '\t'), async ({ extra, groups }, ends, indent) => {
      const text = JSON.stringify({ ...extra, trajectory_groups: groups, model_id: 'm' }, null, indent)
      const read = await all(readGroups(chunks(text, ends), (sent) => sent))
      expect(read.map(({ trajectories, exceptions }) => ({ trajectories, exceptions }))).toEqual(
        (JSON.parse(text) as { trajectory_groups: typeof groups }).trajectory_groups.map(({ trajectories, exceptions }) => ({
          trajectories,
          // Numbers of fields stay as they are written.
          exceptions: parseJson(JSON.stringify(exceptions)),
        })),
      )
      const streamed: unknown[] = []
      for await (const { trajectories } of readTrajectories(chunks(text, ends))) streamed.push(await all(trajectories))
      expect(streamed).toEqual(read.map(({ trajectories }) => trajectories))
    }),
    { numRuns: trials({ usual: 60, long: 5_000 }) },
  )
})

test('a body that is not JSON is refused, and never read as if it were', async () => {
  const valid = JSON.stringify({ model_id: 'm', trajectory_groups: [{ trajectories: [{ reward: 1 }, 'x', [1]], a: null }, {}] })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(valid.length - 1),
      fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', 'x'),
      cuts,
      async (at, put, ends) => {
        const text = valid.slice(0, at) + put + valid.slice(at + 1)
        const outcome = await all(readPieces(chunks(text, ends))).then(
          (pieces) => pieces.every(isValue),
          (error: unknown) => (isApiError(error) && error.status === 422 ? 'refused' : error),
        )
        // Where each piece is JSON, so is the whole.
        if (outcome === true) expect(() => JSON.parse(text) as unknown).not.toThrow()
        else expect(['refused', false]).toContain(outcome)
      },
    ),
    { numRuns: trials({ usual: 300, long: 20_000 }) },
  )
})

function isValue(piece: BodyPiece): boolean {
  if (!('text' in piece)) return true
  try {
    JSON.parse(piece.text)
    return true
  } catch {
    return false
  }
}

describe('a body', () => {
  test.each([
    '',
    '   ',
    '7',
    '"x"',
    '[]',
    '{',
    '{}x',
    '{} {}',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,}',
    '{"trajectory_groups":[1,]}',
    '{"trajectory_groups":[{]}',
  ])('of %j is refused with the byte where it breaks', async (text) => {
    await expect(all(readPieces(chunks(text)))).rejects.toMatchObject({ status: 422, issues: [{ loc: ['body'], type: 'json_invalid' }] })
  })

  test.each([
    ['nested deeper than 200 levels', `${'['.repeat(201)}${']'.repeat(201)}`],
    ['more than 16000000 keys and values', `[${'0,'.repeat(16_000_001)}0]`],
  ])('with a trajectory of %s is too large', async (reason, trajectory) => {
    const text = `{"trajectory_groups":[{"trajectories":[${trajectory}]}]}`
    const read = all(readPieces(chunks(text))).then(({ length }) => length)
    await expect(read).rejects.toMatchObject({ status: 413, message: expect.stringContaining(reason) })
  })

  test('may have lists in places of their own: any other list is a field', async () => {
    const pieces = await all(readPieces(chunks('{"trajectory_groups": {"trajectories": []}, "trajectories": [1, 2]}')))
    expect(pieces).toEqual([
      { at: 'body', key: 'trajectory_groups', text: '{"trajectories": []}' },
      { at: 'body', key: 'trajectories', text: '[1, 2]' },
    ])
  })
})
