import type { Call } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { linksOfCall, maxLinks } from './links-of-call.ts'

type LinkedCall = Parameters<typeof linksOfCall>[0]

const call = (fields: Partial<LinkedCall> = {}): LinkedCall => ({
  project_id: 'acme/my shop',
  op_name: 'answer',
  parent_id: null,
  thread_id: null,
  wb_run_id: null,
  wb_run_step: null,
  attributes: {},
  inputs: {},
  output: null,
  ...fields,
})

test('a call that names nothing has no links', () => expect(linksOfCall(call())).toEqual({ links: [], leftOut: 0 }))

test('the op, the parent, the thread, the run and linked spans of a call lead to their pages', () => {
  const links = [{ trace_id: 'bb', span_id: '00f067aa0ba902b7' }, { trace_id: 'cc' }, 7]
  const attributes = { otel_span: { links } } as Call['attributes']
  const named = { parent_id: 'p', thread_id: 'a/b', wb_run_id: 'acme/shop/run', wb_run_step: 3, attributes }
  expect(linksOfCall(call({ op_name: 'weave:///acme/shop/op/look_up:abc', ...named })).links).toEqual([
    { kind: 'op', title: 'look_up', href: '/acme/shop/ops/look_up?version=abc' },
    { kind: 'parent', title: 'p', href: '/acme/my%20shop/calls/p' },
    { kind: 'thread', title: 'a/b', href: '/acme/my%20shop/threads/a%2Fb' },
    { kind: 'run', title: 'acme/shop/run, step 3' },
    { kind: 'linked span', title: '00f067aa0ba902b7 of trace bb', href: '/acme/my%20shop/calls/00f067aa0ba902b7' },
  ])
})

test('references in inputs and output are found once each, wherever they stand', () => {
  const prompt = 'weave:///acme/shop/object/greeting:abc'
  const inputs = { prompt, nested: [{ again: prompt, table: 'weave:///acme/shop/table/def' }] } as Call['inputs']
  expect(linksOfCall(call({ inputs, output: { made: 'weave:///acme/shop/call/c1', text: 'weave:///nothing' } })).links).toEqual([
    { kind: 'object', title: prompt, href: '/acme/shop/objects/greeting?version=abc' },
    { kind: 'object', title: 'weave:///acme/shop/table/def' },
    { kind: 'call', title: 'weave:///acme/shop/call/c1', href: '/acme/shop/calls/c1' },
  ])
})

test('links beyond what a person looks through are counted', () => {
  const output = Array.from({ length: maxLinks + 7 }, (_, at) => `weave:///acme/shop/call/c${at}`)
  const { links, leftOut } = linksOfCall(call({ output }))
  expect([links.length, leftOut]).toEqual([maxLinks, 7])
})
