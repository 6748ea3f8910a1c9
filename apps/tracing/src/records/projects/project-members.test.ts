import { randomUUID } from 'node:crypto'
import type { NewKey } from '@heddle/identity'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

describe.each(['sqlite', 'postgres'] as const)('members of a project on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: TestApp
  const entity = `members-${randomUUID()}`
  const project_id = `${entity}/a`
  const other = `${entity}/b`
  const make = (userId: string, key: Partial<NewKey> = {}) =>
    app.identity.createKey({
      name: `key-${randomUUID()}`,
      userId,
      role: 'reader',
      entity,
      projects: [{ project_id, role: 'reader' }],
      ...key,
    })
  const membersFor = async (key: Partial<NewKey>) => {
    const client = await app.clientFor({ name: `key-${randomUUID()}`, role: 'reader', userId: 'who asks', ...key })
    return (await client.projects.queryMembers({ project_id })).members
  }

  beforeAll(async () => {
    app = await startTestApp({ ...(kind === 'postgres' && { postgresUrl }) })
    await make('zoe')
    await make('Ada Lovelace', { projects: [{ project_id, role: 'writer' }] })
    await make('zoe', { projects: [{ project_id, role: 'admin' }] })
    await make('sends alone', { projects: [{ project_id, role: 'ingest' }] })
    await make('writes alone', { projects: [{ project_id, role: 'writer' }], scopes: ['write'] })
    await make('of b', { projects: [{ project_id: other, role: 'admin' }] })
    await make('of both', {
      projects: [
        { project_id, role: 'reader' },
        { project_id: other, role: 'reader' },
      ],
    })
    await make('of the entity', { projects: [] })
    const { key } = await make('has left')
    await app.identity.revokeKey(key.id)
  })
  afterAll(() => app.close())

  test('are the users who may read it now, each once, for a reader as well', async () => {
    expect(await membersFor({ entity, projects: [{ project_id, role: 'reader' }] })).toEqual(['Ada Lovelace', 'who asks', 'zoe'])
  })

  test('are shown to a key as far as it reaches itself', async () => {
    const projects = [project_id, other].map((id) => ({ project_id: id, role: 'reader' as const }))
    expect(await membersFor({ entity, projects })).toEqual(['Ada Lovelace', 'of both', 'who asks', 'zoe'])
    expect(await membersFor({ entity })).toEqual(['Ada Lovelace', 'of both', 'of the entity', 'who asks', 'zoe'])
  })

  test('leave a list without those whose keys have expired', async () => {
    const soon = Date.now() * 1_000 + 400_000
    await make('of today', { expiresAt: soon })
    await expect.poll(() => membersFor({ entity, projects: [{ project_id, role: 'reader' }] })).not.toContain('of today')
  })

  test.each([
    ['of another project', { entity, projects: [{ project_id: other, role: 'admin' }] }],
    ['of another entity', { entity: 'elsewhere', role: 'admin' }],
    ['that may only send', { entity, role: 'ingest' }],
    ['that may write alone', { entity, role: 'writer', scopes: ['write'] }],
  ] as const)('are not shown to a key %s', async (_, access) => {
    await expect(membersFor(access as Partial<NewKey>)).rejects.toMatchObject({ status: 403 })
  })
})
