import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { seededRandom, trials } from '@heddle/testing'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { newTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { testServers } from '../testing/test-servers.ts'

const stepsOfJob = 5

describe.each([
  { dialect: 'sqlite', processes: 1 },
  { dialect: 'postgres', processes: 2 },
] as const)('workers in $processes processes over $dialect', ({ dialect, processes }) => {
  const isMissing = dialect === 'postgres' && inject('postgresUrl') === ''
  const children = new Set<ChildProcess>()
  let store: TestDatabase
  beforeEach(async () => {
    if (!isMissing) store = await newTestDatabase(dialect)
  })
  afterEach(async () => {
    await Promise.all([...children].map(kill))
    if (!isMissing) await store.close()
  })

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    children.delete(child)
  }

  function start(queue: string, onDone: (id: string) => void): ChildProcess {
    const script = fileURLToPath(new URL('worker-process.js', inject('builtChildren')))
    const args = [dialect, store.url, queue, String(processes === 1)]
    const child = fork(script, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    child.on('message', (id) => onDone(String(id)))
    children.add(child)
    return child
  }

  test.skipIf(isMissing)(
    'are killed again and again, and every job is done whole, once, in the order of its serial key',
    { timeout: 600_000 },
    async () => {
      const random = seededRandom(20_261_122)
      const kills = trials({ usual: 2, long: 25 })
      const queue = randomUUID()
      const { jobs, project } = testServers().start(store.database, { queue })
      const projects = await Promise.all([project('acme/one'), project('acme/two')])
      const count = 8 * (kills + 2)
      const ids: string[] = []
      for (let at = 0; at < count; at++) {
        const job = { kind: 'count', payload: null, maxAttempts: 20, ...(at % 2 === 0 && { serialKey: `s${at % 3}` }) }
        ids.push((await jobs.enqueue(projects[at % 4 < 2 ? 0 : 1]!, job)).job.id)
      }

      let done = 0
      let onProgress = () => {}
      const note = () => {
        done++
        onProgress()
      }
      const until = (goal: number) =>
        new Promise<void>((resolve) => {
          onProgress = () => done >= goal && resolve()
          onProgress()
        })
      for (let process = 0; process < processes; process++) start(queue, note)
      for (let killed = 1; killed <= kills; killed++) {
        await until(killed * 6)
        await delay(random() * 10)
        const [oldest] = children
        if (oldest) await kill(oldest)
        start(queue, note)
      }
      const read = async () =>
        (await Promise.all(projects.map((project) => jobs.list(project, {}, { order: 'asc', limit: 1_000 })))).flatMap((page) => page.jobs)
      while ((await read()).some(({ endedAt }) => endedAt === null)) await delay(50)

      const ended = await read()
      expect(ended.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      expect(ended.filter(({ state }) => state !== 'succeeded')).toEqual([])
      const steps = await store.database.selectFrom('project_retention').selectAll().orderBy('retention_days').execute()
      expect(steps).toHaveLength(count * stepsOfJob)
      for (const project of projects)
        for (const serialKey of ['s0', 's1', 's2']) {
          const { jobs: inOrder } = await jobs.list(project, { serialKey }, { order: 'asc' })
          const prefix = `${project.id}:${serialKey}/`
          const expected = inOrder.flatMap(({ id }) => [0, 1, 2, 3, 4].map((step) => `${prefix}${id}/${step}`))
          expect(steps.map((row) => row.project_id).filter((name) => name.startsWith(prefix))).toEqual(expected)
        }
      expect(await jobs.stats()).toMatchObject({ waiting: 0, running: 0, finished: count })
    },
  )
})
