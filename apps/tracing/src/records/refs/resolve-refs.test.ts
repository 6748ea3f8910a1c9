import type { ProjectScope } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Objects, startObjects } from '../objects/testing/start-objects.ts'

let app: Objects
let project: ProjectScope

beforeAll(async () => {
  app = await startObjects('sqlite', '')
  project = await app.open(app.newProjectId())
})
afterAll(() => app.close())

async function publish(object_id: string, val: unknown): Promise<string> {
  const refProjects = app.refProjects(project, app.context('write'))
  const draft = { object_id, val, builtin_object_class: null, expected_digest: null, wb_user_id: 'ada' }
  const { digest } = await app.publisher.publish(project, draft, refProjects)
  return refTo(`${object_id}:${digest}`)
}
const refTo = (rest: string, projectId = project.id) => `weave:///${projectId}/object/${rest}`
const resolve = async (ref: string) => (await app.resolveRefs(project, [ref])).get(ref)

test('a reference without edges is the whole value, with the references in it as they are', async () => {
  const inner = await publish('inner', { t: 1 })
  const outer = await publish('outer', { inner })
  expect(await resolve(outer)).toEqual({ status: 'found', value: { inner } })
})

test('edges are followed, also through references', async () => {
  const inner = await publish('inner', { t: [0.5, 'half'] })
  const outer = await publish('outer', { models: [{ inner: `${inner}/attr/t` }] })
  expect(await resolve(`${outer}/attr/models/index/0/key/inner/index/1`)).toEqual({ status: 'found', value: 'half' })
  expect(await resolve(`${outer}/attr/models/index/7/key/inner`)).toEqual({ status: 'found', value: null })
})

test('numbers keep their form', async () => {
  const ref = await publish('number', [1])
  const resolved = await resolve(ref)
  expect(stringifyJson(resolved?.status === 'found' ? resolved.value : undefined)).toBe('[1]')
})

test('words for versions work in references too', async () => {
  await publish('words', 'zero')
  await publish('words', 'one')
  expect(await resolve(refTo('words:latest'))).toEqual({ status: 'found', value: 'one' })
  expect(await resolve(refTo('words:v0'))).toEqual({ status: 'found', value: 'zero' })
})

test('many references are answered at once, each once', async () => {
  const refs = await Promise.all(Array.from({ length: 30 }, (_, n) => publish(`many-${n}`, n)))
  const resolved = await app.resolveRefs(project, [...refs, ...refs])
  expect(refs.map((ref) => resolved.get(ref))).toEqual(refs.map((_, value) => ({ status: 'found', value })))
})

test('a missing value is unknown, also when another project has it', async () => {
  const there = await publish('there', 1)
  expect(await resolve(refTo('nothing:latest'))).toEqual({ status: 'unknown', kind: 'object', digest: 'latest' })
  expect(await resolve(there.replace(project.id, 'acme/other'))).toMatchObject({ status: 'unknown' })
})

test('a path through another project is null', async () => {
  const through = await publish('through', { r: refTo('x:1', app.newProjectId()) })
  expect(await resolve(`${through}/attr/r/attr/x`)).toEqual({ status: 'found', value: null })
})

test('a deleted version says so', async () => {
  const ref = await publish('gone', { a: 1 })
  const outer = await publish('outer-of-gone', { r: ref })
  await app.database.updateTable('object_versions').set({ deleted_at: 1 }).where('object_id', '=', 'gone').execute()
  expect(await resolve(ref)).toEqual({ status: 'deleted' })
  expect(await resolve(`${outer}/attr/r/attr/a`)).toEqual({ status: 'deleted' })
})

test.each([
  ['no reference', 'text'],
  ['an unknown kind', 'weave:///e/p/agent_span/7'],
  ['an odd number of edges', 'weave:///e/p/object/x:1/attr'],
  ['a call', 'weave:///e/p/call/7'],
  ['a table', 'weave:///e/p/table/7'],
])('invalid: %s', async (_, ref) => {
  expect(await resolve(ref)).toMatchObject({ status: 'invalid' })
})

test('references that go round in a circle end', async () => {
  const loop = refTo('loop:latest')
  await publish('loop', { next: `${loop}/attr/next` })
  expect(await resolve(`${loop}/attr/next/attr/x`)).toMatchObject({ status: 'invalid' })
})
