import { ApiError } from '@heddle/core-api'
import { canonicalJson, parseJson, stringifyJson } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import vectors from '../vectors/digest-vectors.json' with { type: 'json' }
import { textDigest } from './digest.ts'
import { hidePrivateRefs, type RefProjects, rewriteRefs } from './rewrite-refs.ts'

const digest = 'A'.repeat(43)
const internalIds: Record<string, string> = { 'e/p': 'UDE=', 'e/q': 'UDI=' }

const projects: RefProjects = projectsOf(internalIds)

function projectsOf(ids: Record<string, string>): RefProjects {
  return {
    async internalIdOf(projectId) {
      const id = ids[projectId]
      if (id === undefined) throw new ApiError('forbidden', 'Forbidden')
      return id
    },
    async findByInternalId(internalId) {
      return Object.keys(ids).find((id) => ids[id] === internalId)
    },
  }
}

async function refused(value: unknown): Promise<unknown> {
  return rewriteRefs(value, projects).catch((error: unknown) => error)
}

describe('what is hashed and what is stored', () => {
  const recorded = vectors.vectors.filter((vector) => vector.kind === 'object with references')
  test.each(recorded)('as recorded: $name', async ({ json, canonical, digest, internal_project_ids }) => {
    const { internal } = await rewriteRefs(parseJson(json ?? ''), projectsOf(internal_project_ids ?? {}))
    expect(canonicalJson(internal)).toBe(canonical)
    expect(textDigest(canonicalJson(internal))).toBe(digest)
  })

  test.each([
    ['a reference', `weave:///e/p/object/x:${digest}`, `weave-trace-internal:///UDE=/object/x:${digest}`],
    ['a reference of an unknown kind', 'weave:///e/q/agent_span/7', 'weave-trace-internal:///UDI=/agent_span/7'],
    ['nothing after the project', 'weave:///e/p/', 'weave-trace-internal:///UDE=/'],
    ['an internal reference', 'weave-trace-internal:///UDI=/call/7', 'weave-trace-internal:///UDI=/call/7'],
    ['a reference in another scheme', 'wandb-artifact:///e/p/7', 'wandb-artifact:///e/p/7'],
    ['a reference in a sentence', 'see weave:///e/p/call/7', 'see weave:///e/p/call/7'],
    ['a text that only looks like JSON', '{"a": weave:///e/p/call/7', '{"a": weave:///e/p/call/7'],
  ])('%s', async (_, text, expected) => {
    expect((await rewriteRefs([text], projects)).internal).toEqual([expected])
  })

  test('a value without references is the value itself in both forms', async () => {
    const value = { a: [1, { b: 'text' }] }
    const { internal, external } = await rewriteRefs(value, projects)
    expect(internal).toBe(value)
    expect(external).toBe(value)
  })

  test('an internal reference of a client is stored like every other', async () => {
    const { external } = await rewriteRefs({ r: 'weave-trace-internal:///UDI=/call/7' }, projects)
    expect(external).toEqual({ r: 'weave:///e/q/call/7' })
  })

  test('a key is not rewritten, and __proto__ is a key', async () => {
    const value = parseJson('{"__proto__":"weave:///e/p/call/7","weave:///e/p/call/7":1}')
    const { internal } = await rewriteRefs(value, projects)
    expect(stringifyJson(internal)).toBe('{"__proto__":"weave-trace-internal:///UDE=/call/7","weave:///e/p/call/7":1}')
  })
})

describe('references inside JSON texts', () => {
  const stored = async (text: string) => ((await rewriteRefs([text], projects)).external as string[])[0]

  test('the text comes back with its keys in order, re-spaced and in ASCII', async () => {
    const text = '{"b":[1.0,2e0,{}],"10":"é","2":true , "r":"weave:///e/p/call/7", "weave:///k": null}'
    expect(await stored(text)).toBe('{"b": [1.0, 2.0, {}], "10": "\\u00e9", "2": true, "r": "weave:///e/p/call/7", "weave:///k": null}')
  })

  test('a text in which nothing was rewritten stays byte for byte', async () => {
    const text = '{"b":1.0,"t":"see weave:///e/p/call/7 é"}'
    expect(await stored(text)).toBe(text)
  })

  test('texts in texts are rewritten up to the eighth level', async () => {
    const nest = (levels: number) => {
      let text = '["weave:///e/p/call/7"]'
      for (let level = 1; level < levels; level++) text = JSON.stringify([text])
      return text
    }
    const eight = (await rewriteRefs(nest(8), projects)).internal as string
    const nine = (await rewriteRefs(nest(9), projects)).internal as string
    expect(eight).toContain('weave-trace-internal')
    expect(nine).toBe(nest(9))
  })
})

describe('refused references', () => {
  test.each([
    ['too few parts', 'weave:///e/p', 400, 'Invalid URI: weave:///e/p'],
    ['no project', 'weave:///e', 400, 'Invalid URI: weave:///e'],
    ['an empty project', 'weave:///e//call/7', 400, 'Invalid URI: weave:///e//call/7'],
    ['an unknown internal id', 'weave-trace-internal:///UDM=/call/7', 400, 'Encountered unexpected internal ref format.'],
    ['an internal reference without an id', 'weave-trace-internal:///', 400, 'Encountered unexpected internal ref format.'],
    ['a project that the caller may not use', 'weave:///x/y/call/7', 403, 'Forbidden'],
  ])('%s', async (_, text, status, message) => {
    expect(await refused({ a: [text] })).toMatchObject({ status, message })
    expect(await refused(JSON.stringify({ a: [text] }))).toMatchObject({ status, message })
  })

  test('a value nested deeper than 200 levels', async () => {
    const nested = (levels: number) => parseJson(`${'['.repeat(levels)}1${']'.repeat(levels)}`, { maxDepth: 300 })
    expect(await refused(nested(201))).toMatchObject({ status: 413 })
    expect(await refused(nested(200))).not.toBeInstanceOf(Error)
  })

  test('references into more than 100 projects', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `weave:///e/p${index}/call/7`)
    expect(await refused(many)).toMatchObject({ status: 400 })
  })
})

describe('references that the reader may not see', () => {
  const hide = (json: string) => hidePrivateRefs(json, 'e/p', async (projectId) => projectId === 'e/q')

  test.each([
    ['into the same project', '{"r": "weave:///e/p/call/7"}', '{"r": "weave:///e/p/call/7"}'],
    ['into a project that may be seen', '{"r": "weave:///e/q/call/7"}', '{"r": "weave:///e/q/call/7"}'],
    ['into another project', '{"n": 1.0, "r": "weave:///x/y/object/z:1/attr/a"}', '{"n":1.0,"r":"weave-private://///object/z:1/attr/a"}'],
    ['in a text', '["{\\"r\\": \\"weave:///x/y/call/7\\"}"]', '["{\\"r\\": \\"weave-private://///call/7\\"}"]'],
    ['in a sentence', '["see weave:///x/y/call/7"]', '["see weave:///x/y/call/7"]'],
    ['without a project', '["weave:///x"]', '["weave:///x"]'],
  ])('%s', async (_, stored, shown) => {
    expect(await hide(stored)).toBe(shown)
  })
})
