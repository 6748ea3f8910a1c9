import { randomUUID } from 'node:crypto'
import { formatConversationRef } from '@heddle/core-api'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { callRef } from '../../contract-tests/testing/feedback-builders.ts'
import type { TestApp } from '../../testing/start-test-app.ts'
import type { Receiver } from './testing/start-receiver.ts'
import { aReceiver, receives, second, startWebhooksApp, webhooksOfProject, type WebhooksOfProject } from './testing/webhooks-of-project.ts'

describe.each(['sqlite', 'postgres'] as const)('a mention on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let app: TestApp
  let project_id: string
  let ours: WebhooksOfProject
  let receiver: Receiver

  beforeAll(async () => {
    app = await startWebhooksApp({ now: 1_800_000_000 * second }, kind === 'postgres' ? postgresUrl : undefined)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    project_id = app.newProject()
    ours = await webhooksOfProject(app, project_id)
    receiver = await aReceiver()
    for (const userId of ['ann', 'Bob [x]']) await addMember(userId)
    await ours.create({ url: receiver.url, events: ['feedback.mention'] })
  })

  const addMember = (userId: string, of = project_id) =>
    app.identity.createKey({ name: randomUUID(), userId, role: 'reader', projects: [{ project_id: of, role: 'reader' }] })
  const aNote = (note: string, weave_ref = callRef(project_id, 'c')) => ({
    project_id,
    weave_ref,
    feedback_type: 'wandb.note.1',
    payload: { note },
  })
  const sent = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string; data: Record<string, unknown> }).data)

  test('in a note on a call or a conversation is sent with who wrote it, whom it names, and its text', async () => {
    const [entity = '', project = ''] = project_id.split('/')
    const conversation = formatConversationRef({ entity, project, id: 'user:1' })
    const { id, created_at } = await app.client.feedback.create(aNote('@[ann] and @[ann], see\n@[Bob \\[x\\]] <b>', conversation))
    await receives(receiver, 1)
    const note = '@[ann] and @[ann], see\n@[Bob \\[x\\]] <b>'
    const data = {
      project_id,
      feedback_id: id,
      weave_ref: conversation,
      user_id: 'tester',
      mentioned: ['ann', 'Bob [x]'],
      note,
      created_at,
    }
    expect(JSON.parse(receiver.received[0]!.body)).toEqual({ type: 'feedback.mention', timestamp: expect.any(String), data })
    await app.client.feedback.createBatch({ batch: [aNote('no one'), aNote('@[ann]?')] })
    await receives(receiver, 2)
    expect(sent()[1]).toMatchObject({ weave_ref: callRef(project_id, 'c'), mentioned: ['ann'], note: '@[ann]?' })
  })

  test('of nobody who may read the project, and in feedback of another type, is not sent', async () => {
    await addMember('of another project', app.newProject())
    const { key } = await addMember('has left')
    await app.identity.revokeKey(key.id)
    await app.client.feedback.createBatch({
      batch: [
        aNote('@[of another project] @[has left] @[anna] @ann'),
        { ...aNote('@[ann]'), feedback_type: 'remark' },
        { ...aNote('-'), payload: { note: '-', more: '@[ann]' } },
      ],
    })
    await ours.allSent()
    expect(sent()).toEqual([])
  })

  test('is sent once where the note is sent again, and of a note that is changed only what is new', async () => {
    const note = { ...aNote('@[ann] look'), id: 'same' }
    await app.client.feedback.create(note)
    await app.client.feedback.create(note)
    const changed = await app.client.feedback.replace({ ...aNote('@[ann] look here'), feedback_id: 'same' })
    await app.client.feedback.replace({ ...aNote('@[ann] look here, @[Bob \\[x\\]]'), feedback_id: changed.id })
    await app.client.feedback.replace({ ...aNote('@[ann]'), id: 'kept', feedback_id: 'none' })
    await app.client.feedback.replace({ ...aNote('@[Bob \\[x\\]]'), id: 'kept', feedback_id: 'kept' })
    await ours.allSent()
    expect(
      sent()
        .flatMap(({ mentioned }) => mentioned)
        .toSorted(),
    ).toEqual(['Bob [x]', 'Bob [x]', 'ann', 'ann'])
    expect(sent()).toHaveLength(4)
  })
})
