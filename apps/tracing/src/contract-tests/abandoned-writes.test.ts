import { setTimeout as delay } from 'node:timers/promises'
import { serverWork } from '@heddle/datastore'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { aCall, aStart, record } from './testing/call-builders.ts'

describe.each([
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
])('writes that wait for another writer, on $dialect', ({ options, isMissing }) => {
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => (isMissing ? undefined : app.close()))

  /** Sends a request while another writer has the key, and lets its client leave before that writer ends. */
  async function leaveWhileWaiting(key: string, send: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const client = new AbortController()
    let answer: Promise<unknown> = Promise.resolve()
    await app.stores.locks.withKeys(serverWork, [key], async () => {
      answer = send(client.signal).then(
        () => 'stored',
        () => 'refused',
      )
      await delay(100)
      client.abort()
    })
    // Behind the abandoned request, were it still in the queue.
    await app.stores.locks.withKeys(serverWork, [key], async () => undefined)
    expect(await answer).toBe('refused')
  }

  test.skipIf(isMissing)('store nothing when their client leaves meanwhile', async () => {
    const project_id = app.newProject()
    const call = aCall({ project_id })
    await leaveWhileWaiting(`${project_id}\0${call.id}`, (signal) =>
      app.client.calls.start({ start: aStart({ project_id, id: call.id }) }, { signal }),
    )
    expect(await app.client.calls.read({ project_id, id: call.id })).toEqual({ call: null })

    const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1 } }
    await leaveWhileWaiting(`costs\0${project_id}`, (signal) => app.client.costs.create({ project_id, costs }, { signal }))
    expect(await app.client.costs.query({ project_id })).toEqual({ results: [] })
  })

  test.skipIf(isMissing)('are stored by a client that comes again', async () => {
    const call = aCall({ project_id: app.newProject() })
    const { project_id, id } = call
    await leaveWhileWaiting(`${project_id}\0${id}`, (signal) => app.client.calls.start({ start: aStart({ project_id, id }) }, { signal }))
    await record(app.client, call)
    expect(await app.client.calls.read({ project_id, id })).toMatchObject({ call: { id } })
  })
})
