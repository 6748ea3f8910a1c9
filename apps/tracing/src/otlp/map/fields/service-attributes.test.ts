import { describe, expect, test } from 'vitest'
import { mapDisplayName, mapRun, mapThread } from './service-attributes.ts'
import { json, nested } from '../../testing/a-span.ts'

const root = { id: 's', parent_id: null }
const child = { id: 's', parent_id: 'p' }

describe('threads and turns', () => {
  const names = [
    'gen_ai.conversation.id',
    'gcp.vertex.agent.session_id',
    'wandb.thread_id',
    'session.id',
    'langfuse.session.id',
    'ai.telemetry.metadata.sessionId',
    'ai.telemetry.metadata.threadId',
    'traceloop.association.properties.session_id',
    'mlflow.trace.session',
  ]
  test.each(names.map((name, index) => [name, names.slice(index)] as const))('%s wins over the names after it', (name, rest) => {
    expect(mapThread(nested(Object.fromEntries(rest.map((each) => [each, each]))), child)).toEqual({ thread_id: name, turn_id: null })
  })

  test.each<[string, Record<string, unknown>, typeof root | typeof child, unknown]>([
    ['a conversation makes a turn of the span without parent', { 'session.id': 'c' }, root, { thread_id: 'c', turn_id: 's' }],
    ['but not of inner spans', { 'session.id': 'c' }, child, { thread_id: 'c', turn_id: null }],
    ['a thread id alone makes none', { 'wandb.thread_id': 'c' }, root, { thread_id: 'c', turn_id: null }],
    ['is_turn makes a turn of an inner span', { 'wandb.thread_id': 'c', 'wandb.is_turn': true }, child, { thread_id: 'c', turn_id: 's' }],
    ['false wins over a conversation', { 'session.id': 'c', 'wandb.is_turn': false }, root, { thread_id: 'c', turn_id: null }],
    ['so does the text false', { 'session.id': 'c', 'wandb.is_turn': 'False' }, root, { thread_id: 'c', turn_id: null }],
    [
      'any other value that says something makes a turn',
      { 'wandb.thread_id': 'c', 'wandb.is_turn': 1 },
      root,
      { thread_id: 'c', turn_id: 's' },
    ],
    ['an empty one decides nothing', { 'session.id': 'c', 'wandb.is_turn': '' }, root, { thread_id: 'c', turn_id: 's' }],
    ['a turn without thread is none', { 'wandb.is_turn': true }, root, { thread_id: null, turn_id: null }],
    ['a number becomes text', { 'wandb.thread_id': 7 }, root, { thread_id: '7', turn_id: null }],
    [
      'an id of 1,024 characters stays as it is',
      { 'session.id': 'c'.repeat(1_024) },
      child,
      { thread_id: 'c'.repeat(1_024), turn_id: null },
    ],
    [
      'a longer id keeps its beginning and ends in its digest',
      { 'session.id': 'c'.repeat(1_025) },
      root,
      { thread_id: expect.stringMatching(/^c{959}:[0-9a-f]{64}$/) as string, turn_id: 's' },
    ],
    ['an object becomes JSON text', { 'session.id.a': 1 }, root, { thread_id: '{"a":1}', turn_id: 's' }],
  ])('%s', (_name, attributes, span, expected) => {
    expect(mapThread(nested(attributes), span)).toEqual(expected)
  })
})

describe('display name', () => {
  test.each<[string, unknown, string | null]>([
    ['text', 'D', 'D'],
    ['number', 7, '7'],
    ['empty', '', null],
    ['1024 characters', 'x'.repeat(1024), 'x'.repeat(1024)],
    ['a long word', 'x'.repeat(1025), `${'x'.repeat(1021)}...`],
    ['long words', 'word '.repeat(300), `${'word '.repeat(204)}...`],
  ])('%s', (_name, sent, expected) => {
    expect(mapDisplayName(nested({ 'wandb.display_name': sent }))).toBe(expected)
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['a node of n8n', { 'n8n.node.name': 'Planner' }, 'Planner'],
    ['a workflow of n8n', { 'n8n.workflow.name': 'Trip planner' }, 'Trip planner'],
    ['one that is given', { 'wandb.display_name': 'D', 'n8n.node.name': 'Planner' }, 'D'],
    ['a node where the given one is empty', { 'wandb.display_name': '', 'n8n.node.name': 'Planner' }, 'Planner'],
  ])('is that of %s', (_name, attributes, expected) => {
    expect(mapDisplayName(nested(attributes))).toBe(expected)
  })
})

describe('training runs', () => {
  const run = (attributes: Record<string, unknown>, requestRun?: string) => mapRun(nested(attributes), 'e/p', requestRun)
  test.each<[string, unknown, string | null]>([
    ['a name', 'abc', 'e/p/abc'],
    ['a name with a slash is ignored', 'a/b', null],
    ['a name with a colon is ignored', 'a:b', null],
    ['an empty name is ignored', '', null],
    ['a name of more than 1,024 characters is ignored', 'r'.repeat(1_025), null],
  ])('%s', (_name, sent, expected) => {
    expect(run({ 'wandb.wb_run_id': sent }).wb_run_id).toBe(expected)
  })
  test('the run of the request wins', () => {
    expect(run({ 'wandb.wb_run_id': 'abc' }, 'e/p/other').wb_run_id).toBe('e/p/other')
  })
  test.each<[unknown, number | null]>([
    [3, 3],
    [0, 0],
    ['4', 4],
    [json('5.0'), 5],
    [-1, null],
    [1.5, null],
    ['x', null],
    [true, null],
  ])('step %# is read: %o', (sent, step) => {
    expect(run({ 'wandb.wb_run_step': sent, 'wandb.wb_run_step_end': sent })).toMatchObject({ wb_run_step: step, wb_run_step_end: step })
  })
})
