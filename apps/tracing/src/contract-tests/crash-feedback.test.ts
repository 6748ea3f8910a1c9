import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from './testing/call-builders.ts'
import { aFeedback, callRef, equals } from './testing/feedback-builders.ts'
import { isAcknowledged, type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'
import { writeUntilKilled } from './testing/write-until-killed.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/feedback'

/** One request that writes feedback: what must be there after it, and what must not, by id. */
interface Write {
  path: string
  body: string
  adds: string[]
  removes: string[]
}

/** A payload whose bytes show any change: a number that JavaScript would write otherwise, and text beyond ASCII. */
const payload = (id: string) => `{"id":"${id}","exact":1.0,"big":12345678901234567890,"text":"ü🙂${'x'.repeat(200)}"}`
const anItem = (id: string, more: object = {}) =>
  JSON.stringify({ ...aFeedback({ project_id, id, weave_ref: callRef(project_id, newId()) }), ...more }).replace(
    '"payload":{}',
    `"payload":${payload(id)}`,
  )

function batch(ids: string[]): Write {
  return { path: '/feedback/batch/create', body: `{"batch":[${ids.map((id) => anItem(id)).join(',')}]}`, adds: ids, removes: [] }
}

function replacement(old: string, id: string): Write {
  return { path: '/feedback/replace', body: anItem(id, { feedback_id: old }), adds: [id], removes: [old] }
}

function purge(id: string): Write {
  return { path: '/feedback/purge', body: JSON.stringify({ project_id, query: equals('id', id) }), adds: [], removes: [id] }
}

/** What one writer sends, in order: a batch, one more, one in the place of another, and the end of a third. */
function story(): Write[] {
  const [first = '', second = '', ...others] = Array.from({ length: 12 }, newId)
  const single = newId()
  return [
    batch([first, second, ...others]),
    { path: '/feedback/create', body: anItem(single), adds: [single], removes: [] },
    replacement(first, newId()),
    purge(second),
  ]
}

/** Ids of all feedback, each of which was stored byte by byte. */
async function readIds(server: Server, apiKey: string): Promise<string[]> {
  const response = await sendTo(server.url, apiKey, { path: '/feedback/query', body: JSON.stringify({ project_id }) })
  const text = (await response?.text()) ?? ''
  const ids = (JSON.parse(text) as { result: { id: string }[] }).result.map(({ id }) => id)
  expect(ids.filter((id) => !text.includes(`"payload":${payload(id)}`))).toEqual([])
  return ids
}

/** What must be there after these writes, in order. */
function idsAfter(writes: readonly Write[]): Set<string> {
  const ids = new Set<string>()
  for (const { adds, removes } of writes) {
    for (const id of adds) ids.add(id)
    for (const id of removes) ids.delete(id)
  }
  return ids
}

test('a server that is killed in the middle of writing feedback has each write as a whole or not at all, and every acknowledged one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (killAfter) => {
      const { dataDir, apiKey, acknowledged, unanswered } = await writeUntilKilled<Write>({
        servers,
        killAfter,
        writers: 6,
        workOf: story,
        send: isAcknowledged,
      })
      const again = await servers.start(dataDir, apiKey)
      try {
        const found = await readIds(again, apiKey)
        const known = new Set(found)
        expect(found).toHaveLength(known.size)
        const stored = unanswered.filter(
          ({ adds, removes }) => [...adds.filter((id) => known.has(id)), ...removes.filter((id) => !known.has(id))].length > 0,
        )
        expect(known).toEqual(idsAfter([...acknowledged, ...stored]))
        // What got no answer is sent again, as clients do, and some that got one.
        for (const write of [...unanswered, ...acknowledged.slice(-1)])
          expect([write.path, (await sendTo(again.url, apiKey, write))?.status]).toEqual([write.path, 200])
        const complete = await readIds(again, apiKey)
        expect(complete).toHaveLength(new Set(complete).size)
        expect(new Set(complete)).toEqual(idsAfter([...acknowledged, ...unanswered]))
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
