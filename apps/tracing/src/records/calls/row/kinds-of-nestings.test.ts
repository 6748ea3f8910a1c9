import { callKindOf } from '@heddle/core-api'
import { callWordPaths, nestingsOf } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Attributes = Record<string, unknown>

/** Adds a value at names, unless something else is there already. */
function put(attributes: Attributes, names: readonly string[], value: unknown): void {
  let within = attributes
  for (const name of names.slice(0, -1)) {
    const next = (within[name] ??= {})
    if (typeof next !== 'object' || next === null) return
    within = next as Attributes
  }
  within[names.at(-1)!] ??= value
}

const word = fc.constantFrom('chat', 'LLM', 'tool', 'AGENT', 'retriever', 'chain', 'true', 'unknown', '', null)
const said = fc.constantFrom(...callWordPaths).chain((path) => fc.tuple(fc.constantFrom(...nestingsOf(path)), word))
const attributes = fc.array(said, { minLength: 1, maxLength: 4 }).map((all) => {
  const made: Attributes = {}
  for (const [names, value] of all) put(made, names, value)
  return made
})
const callsAtATime = 60

test('however attributes nest the names of a kind, statements and clients read the same kind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attributes, { minLength: callsAtATime, maxLength: callsAtATime }), async (sent) => {
      const project_id = app.newProject()
      const trace_id = newId()
      const calls = sent.map((one) => aCall({ project_id, trace_id, op_name: 'op', attributes: one as never }))
      await record(app.client, ...calls)
      const kinds = new Map<string, string>()
      for await (const { id, kind } of app.client.calls.streamTrace({ project_id, call_id: calls[0]!.id })) kinds.set(id, kind)
      expect(calls.map(({ id }) => kinds.get(id))).toEqual(sent.map((one) => callKindOf({ op_name: 'op', attributes: one as never })))
    }),
    { numRuns: inject('long') ? 50 : 2 },
  )
})
