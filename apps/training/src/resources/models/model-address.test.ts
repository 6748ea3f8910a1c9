import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseModelAddress } from './model-address.ts'

const newest = { kind: 'newest' }
const step = (of: number) => ({ kind: 'step', step: of })
const version = (index: number) => ({ kind: 'version', place: index })

describe('what the name of a model says', () => {
  test.each<[string, string, string, object]>([
    ['wandb-artifact:///acme/chat/agent', 'acme/chat', 'agent', newest],
    ['wandb-artifact://acme/chat/agent', 'acme/chat', 'agent', newest],
    ['heddle1-artifact:///acme/chat/agent:step25', 'acme/chat', 'agent', step(25)],
    ['acme/chat/agent', 'acme/chat', 'agent', newest],
    ['acme/chat/agent:latest', 'acme/chat', 'agent', newest],
    ['acme/chat/agent:v3', 'acme/chat', 'agent', version(3)],
    ['acme/chat/agent@7', 'acme/chat', 'agent', step(7)],
    ['acme/chat/a.b-c_d:step0', 'acme/chat', 'a.b-c_d', step(0)],
  ])('%s', (text, project, name, alias) => {
    expect(parseModelAddress(text)).toEqual({ kind: 'name', project, name, alias })
  })

  test('an id may have an alias as well', () => {
    const id = '0190f5a2-7f30-7c3e-9d3b-2f4f6f1a9c11'
    expect(parseModelAddress(`${id.toUpperCase()}:step2`)).toEqual({ kind: 'id', id, alias: step(2) })
  })

  test.each([
    '',
    'gpt-4',
    'acme/chat',
    'acme/chat/',
    'acme//agent',
    'a/b/c/d',
    'acme/chat/agent:best',
    'acme/chat/agent:step',
    'acme/chat/agent:step-1',
    'acme/chat/agent@x',
    'http://acme/chat/agent',
    'Upper-artifact:///acme/chat/agent',
  ])('%j is not a name', (text) => {
    expect(parseModelAddress(text)).toEqual({ kind: 'unknown' })
  })

  test('a name comes back from every way to write it', () => {
    const part = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,8}$/)
    fc.assert(
      fc.property(part, part, part, fc.nat(), (entity, project, name, n) => {
        expect(parseModelAddress(`x-artifact:///${entity}/${project}/${name}:step${n}`)).toEqual({
          kind: 'name',
          project: `${entity}/${project}`,
          name,
          alias: step(n),
        })
      }),
    )
  })
})
