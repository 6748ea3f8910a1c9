import type { ObjectVersion } from '@heddle/core-api/types'
import { newApiKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KillableServers, type SentRequest, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'
import { applyChange, emptyObject, type ObjectChange, type ObjectModel, shownVersions } from './testing/object-model.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/objects'
/** Contents that a writer gives its name. */
const contents = 4

/** A value that is large enough to take a while, and different for each writer. */
const valueOf = (name: string, val: number) => ({ name, val, text: `ü🙂 ${'x'.repeat(2_000)}` })

/** Digests of a writer's own contents, as they were answered. */
type Digests = Map<number, string>

function toRequest(name: string, change: ObjectChange, digests: Digests): SentRequest {
  const place = `/objs/${name}`
  const body = (fields: object) => JSON.stringify({ project_id, ...fields })
  switch (change.kind) {
    case 'publish':
      return { path: '/obj/create', body: JSON.stringify({ obj: { project_id, object_id: name, val: valueOf(name, change.val) } }) }
    case 'delete':
      return { path: '/obj/delete', body: body({ object_id: name, digests: change.vals.map((val) => digests.get(val)) }) }
    case 'tag':
      return { method: 'PUT', path: `${place}/versions/${digests.get(change.val)}/tags`, body: body({ tags: [change.tag] }) }
    case 'alias':
      return { method: 'PUT', path: `${place}/aliases`, body: body({ digest: digests.get(change.val), aliases: [change.alias] }) }
  }
}

/** A change that is possible for the name as it is. Most publish. */
function chooseChange({ versions }: ObjectModel, choice: number): ObjectChange {
  const live = versions.flatMap(({ val, isLive }) => (isLive ? [val] : []))
  const val = live[choice % Math.max(1, live.length)]
  if (val === undefined || choice % 10 < 4) return { kind: 'publish', val: choice % contents }
  if (choice % 10 < 6) return { kind: 'delete', vals: choice % 4 === 0 ? live : [val] }
  return choice % 10 < 8 ? { kind: 'tag', val, tag: `t${choice % 5}` } : { kind: 'alias', val, alias: `a${choice % 3}` }
}

/** What a writer knows of its name when the server is gone. */
interface Written {
  name: string
  /** After all that was acknowledged. */
  known: ObjectModel
  /** Sent without an answer: it took place as a whole, or not at all. */
  unanswered: ObjectChange | undefined
  acknowledged: number
  /** Digests of values published to the name that all writers share. */
  shared: string[]
}

interface Trial {
  killAfter: number
  choices: readonly number[]
}

/** Eight writers, each with a name of its own and one for all, until so many requests were acknowledged and the server was killed. */
async function writeUntilKilled(server: Server, apiKey: string, { killAfter, choices }: Trial): Promise<Written[]> {
  let acknowledged = 0
  let killed: Promise<void> | undefined
  async function send(request: SentRequest): Promise<{ digest?: string } | undefined> {
    const response = await sendTo(server.url, apiKey, request)
    if (response === undefined) return undefined
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${request.path} answered ${response.status}: ${text}`)
    acknowledged++
    // The others are in the middle of their requests now.
    if (acknowledged >= killAfter) killed ??= servers.kill(server)
    return JSON.parse(text) as { digest?: string }
  }
  async function writer(turn: number): Promise<Written> {
    const written: Written = { name: `own-${turn}`, known: emptyObject, unanswered: undefined, acknowledged: 0, shared: [] }
    const digests: Digests = new Map()
    for (let at = 0; killed === undefined; at++) {
      const change = chooseChange(written.known, (choices[(at * 8 + turn) % choices.length] ?? 0) + at)
      const answer = await send(toRequest(written.name, change, digests))
      if (answer === undefined) return { ...written, unanswered: change }
      if (change.kind === 'publish') digests.set(change.val, answer.digest ?? '')
      written.known = applyChange(written.known, change)
      written.acknowledged++
      if (at % 3 !== 0) continue
      const common = await send({
        path: '/obj/create',
        body: JSON.stringify({ obj: { project_id, object_id: 'shared', val: { at: at % 20 } } }),
      })
      if (common === undefined) return written
      written.shared.push(common.digest ?? '')
    }
    return written
  }
  const all = await Promise.all(Array.from({ length: 8 }, (_, turn) => writer(turn)))
  await (killed ?? servers.kill(server))
  return all
}

async function findVersions(server: Server, apiKey: string, name: string): Promise<ObjectVersion[]> {
  const query = { project_id, filter: { object_ids: [name] }, include_tags_and_aliases: true, sort_by: [] }
  const response = await sendTo(server.url, apiKey, { path: '/objs/query', body: JSON.stringify(query) })
  const { objs } = JSON.parse((await response?.text()) ?? '') as { objs: ObjectVersion[] }
  return objs.toSorted((a, b) => a.version_index - b.version_index)
}

async function shownAt(server: Server, apiKey: string, name: string) {
  return (await findVersions(server, apiKey, name)).map(({ version_index, is_latest, val, tags, aliases }) => {
    const value = val as { val: number }
    expect(value).toEqual(valueOf(name, value.val))
    return { version_index, is_latest, val: value.val, tags, aliases }
  })
}

test('a server that is killed in the middle of changes to objects has each of them as a whole or not at all, and every acknowledged one', async () => {
  const trial = fc.record({
    killAfter: fc.integer({ min: 8, max: 200 }),
    choices: fc.array(fc.nat(1_000), { minLength: 64, maxLength: 64 }),
  })
  await fc.assert(
    fc.asyncProperty(trial, async (given) => {
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const written = await writeUntilKilled(await servers.start(dataDir, apiKey), apiKey, given)
      const again = await servers.start(dataDir, apiKey)
      try {
        for (const { name, known, unanswered } of written) {
          const possible = [known, ...(unanswered === undefined ? [] : [applyChange(known, unanswered)])].map(shownVersions)
          expect(possible).toContainEqual(await shownAt(again, apiKey, name))
        }
        const shared = await findVersions(again, apiKey, 'shared')
        expect(shared.map(({ version_index }) => version_index)).toEqual(shared.map((_, index) => index))
        expect(shared.filter(({ is_latest }) => is_latest === 1)).toHaveLength(Math.min(1, shared.length))
        expect(shared.map(({ digest }) => digest)).toEqual(expect.arrayContaining([...new Set(written.flatMap((each) => each.shared))]))
        await goOn(again, apiKey, written)
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)

/** Requests without an answer are sent again, as clients do; leftovers do not interfere. */
async function goOn(server: Server, apiKey: string, written: readonly Written[]): Promise<void> {
  for (const { name, known, unanswered } of written) {
    if (unanswered?.kind !== 'publish') continue
    const response = await sendTo(server.url, apiKey, toRequest(name, unanswered, new Map()))
    expect(response?.status).toBe(200)
    expect(await shownAt(server, apiKey, name)).toEqual(shownVersions(applyChange(known, unanswered)))
  }
}
