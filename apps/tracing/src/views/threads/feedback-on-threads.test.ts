import { formatConversationRef } from '@heddle/core-api'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { aFeedback, callRef, equals, type FeedbackInput } from '../../contract-tests/testing/feedback-builders.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

describe.each([
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
])('feedback on a whole conversation on $dialect', ({ dialect, options, isMissing }) => {
  if (isMissing) return
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(options)
  })
  afterAll(() => app.close())

  const refOf = (project_id: string, id: string) => {
    const [entity = '', project = ''] = project_id.split('/')
    return formatConversationRef({ entity, project, id })
  }
  const thumb = (emoji: string) => ({ feedback_type: 'wandb.reaction.1', payload: { emoji } })

  /** A project with a turn in each thread. */
  async function withThreads(...threads: string[]): Promise<string> {
    const project_id = app.newProject()
    const turns = threads.map((thread_id) => {
      const id = newId()
      return aCall({ project_id, id, turn_id: id, thread_id })
    })
    await record(app.client, ...turns)
    return project_id
  }

  const give = (project_id: string, thread: string, said: Omit<Partial<FeedbackInput>, 'project_id' | 'weave_ref'>) =>
    app.client.feedback.create(aFeedback({ project_id, weave_ref: refOf(project_id, thread), ...said }))

  type Filter = NonNullable<Parameters<TestApp['client']['threads']['streamQuery']>[0]['filter']>
  async function threadsWith(project_id: string, filter: Filter): Promise<string[]> {
    const found: string[] = []
    const sort_by = [{ field: 'thread_id', direction: 'asc' as const }]
    for await (const { thread_id } of app.client.threads.streamQuery({ project_id, filter, sort_by })) found.push(thread_id)
    return found
  }

  test('a reaction, a note and a score are found by the conversation they are about', async () => {
    const own = await withThreads('a', 'b')
    const spec = { project_id: own, object_id: 'helpful', val: { name: 'Helpful', field_schema: { type: 'number' } } }
    const obj = { ...spec, builtin_object_class: 'AnnotationSpec' }
    const { digest } = await app.client.objects.create({ obj } as Parameters<TestApp['client']['objects']['create']>[0])
    await give(own, 'a', thumb('👍'))
    await give(own, 'a', { feedback_type: 'wandb.note.1', payload: { note: 'polite' } })
    const score = {
      feedback_type: 'wandb.annotation.helpful',
      payload: { value: 0.5 },
      annotation_ref: `weave:///${own}/object/helpful:${digest}`,
    }
    await give(own, 'a', score)
    await give(own, 'b', thumb('👎'))
    const { result, total_count } = await app.client.feedback.query({ project_id: own, query: equals('weave_ref', refOf(own, 'a')) })
    expect(result.map(({ payload }) => payload)).toMatchObject([{ alias: ':thumbs_up:' }, { note: 'polite' }, { value: 0.5 }])
    expect(total_count).toBe(3)
    await expect(give(own, 'a', { ...score, payload: { value: 'high' } })).rejects.toThrow('does not match annotation spec')
  })

  test('threads are filtered by what their feedback says', async () => {
    const own = await withThreads('good', 'bad', 'silent')
    await give(own, 'good', thumb('👍'))
    await give(own, 'bad', thumb('👎'))
    await give(own, 'bad', { feedback_type: 'quality', payload: { score: 0.2 } })
    expect(await threadsWith(own, { feedback: equals('payload.emoji', '👎') })).toEqual(['bad'])
    expect(await threadsWith(own, { feedback: equals('feedback_type', 'wandb.reaction.1') })).toEqual(['bad', 'good'])
    const low = { $expr: { $lt: [{ $getField: 'payload.score' }, { $literal: 0.5 }] } } as unknown as NonNullable<Filter['feedback']>
    expect(await threadsWith(own, { feedback: low })).toEqual(['bad'])
    expect(await threadsWith(own, { feedback: low, thread_ids: ['good'] })).toEqual([])
    expect(await threadsWith(own, { feedback: null })).toEqual(['bad', 'good', 'silent'])
  })

  test('threads without feedback, or without some of it, are found as well', async () => {
    const own = await withThreads('good', 'bad', 'silent', 'ä/ 🧵')
    await give(own, 'good', thumb('👍'))
    await give(own, 'ä/ 🧵', { feedback_type: 'wandb.note.1', payload: { note: 'polite' } })
    const { id } = await give(own, 'bad', thumb('👎'))
    const any = { $expr: { $not: [equals('feedback_type', '').$expr] } } as unknown as NonNullable<Filter['feedback']>
    expect(await threadsWith(own, { without_feedback: any })).toEqual(['silent'])
    expect(await threadsWith(own, { without_feedback: any, thread_ids: ['bad', 'good'] })).toEqual([])
    expect(await threadsWith(own, { without_feedback: equals('payload.emoji', '👍') })).toEqual(['bad', 'silent', 'ä/ 🧵'])
    expect(await threadsWith(own, { feedback: any, without_feedback: equals('feedback_type', 'wandb.note.1') })).toEqual(['bad', 'good'])
    await app.client.feedback.purge({ project_id: own, query: equals('id', id) })
    expect(await threadsWith(own, { without_feedback: any })).toEqual(['bad', 'silent'])
    await expect(threadsWith(own, { without_feedback: equals('summary.tokens', 1) })).rejects.toThrow('Unknown field: summary.tokens')
  })

  test('only feedback on the conversation itself counts, in this project, and only while it is there', async () => {
    const own = await withThreads('t')
    const other = await withThreads('t')
    const reactions = { feedback: equals('feedback_type', 'wandb.reaction.1') }
    await app.client.feedback.create(aFeedback({ project_id: own, weave_ref: callRef(own, 't'), ...thumb('👍') }))
    await app.client.feedback.create(aFeedback({ project_id: own, weave_ref: refOf(other, 't'), ...thumb('👍') }))
    await give(other, 't', thumb('👍'))
    expect(await threadsWith(own, reactions)).toEqual([])
    const { id } = await give(own, 't', thumb('👍'))
    expect(await threadsWith(own, reactions)).toEqual(['t'])
    await app.client.feedback.purge({ project_id: own, query: equals('id', id) })
    expect(await threadsWith(own, reactions)).toEqual([])
  })

  test.each(['user:1/2', '100 %', '100%25', 'ä 🧵', "'; DROP", '\\%_'])(
    'the thread %j may have any characters in its id',
    async (thread) => {
      const own = await withThreads(thread, 'other')
      await give(own, thread, thumb('⭐'))
      expect(await threadsWith(own, { feedback: equals('payload.emoji', '⭐') })).toEqual([thread])
    },
  )

  test('an id that another program did not encode is the same thread', async () => {
    const own = await withThreads('user:1')
    await app.client.feedback.create(aFeedback({ project_id: own, weave_ref: `weave:///${own}/agent_conversation/user:1`, ...thumb('👍') }))
    expect(await threadsWith(own, { feedback: equals('payload.emoji', '👍') })).toEqual(['user:1'])
  })

  test('it counts in the statistics of feedback', async () => {
    const own = await withThreads('a')
    const start = new Date(Date.now() - 60_000).toISOString()
    for (const score of [0.25, 0.75]) await give(own, 'a', { feedback_type: 'quality', payload: { score } })
    const metrics = [{ json_path: 'score', aggregations: ['avg' as const] }]
    const stats = await app.client.feedback.stats({ project_id: own, start, feedback_type: 'quality', metrics })
    expect(stats.window_stats).toMatchObject({ score: { avg: 0.5 } })
    const range = { after_ms: Date.now() - 60_000, before_ms: Date.now() + 60_000 }
    const { buckets } = await app.client.feedback.aggregate({ project_id: own, ...range, span_types: ['agent_conversation'] })
    expect(buckets).toMatchObject([{ total_count: 2 }])
  })

  test('the conversation of an encoded ref is known by its own id', async () => {
    const own = await withThreads('user:1/2')
    const judged = { feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['kind'] }
    await give(own, 'user:1/2', judged)
    await give(own, 'user:1/2', { ...judged, span_conversation_id: 'user:1/2' })
    await give(own, 'user:1/2', { ...judged, span_conversation_id: 'user%3A1%2F2' })
    const query = equals('span_conversation_id', 'user:1/2')
    expect((await app.client.feedback.query({ project_id: own, query })).total_count).toBe(3)
  })

  test('a query by fields that feedback does not have is refused', async () => {
    const own = await withThreads('a')
    await expect(threadsWith(own, { feedback: equals('summary.tokens', 1) })).rejects.toThrow('Unknown field: summary.tokens')
  })

  sliceOfSuite({ isWhole: dialect === 'SQLite' })
})
