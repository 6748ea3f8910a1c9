import { expect, test } from 'vitest'
import { subjectNames } from './subject-names.ts'

test('models are named without their version, except where runs have several versions of one', () => {
  const models = ['agent-step0:aaaa', 'agent-step1:bbbb', 'greeter:cccc', 'greeter:dddd', 'greeter:cccc', 'plain', null]
  expect(Object.fromEntries(subjectNames(models.map((model) => ({ model }))))).toEqual({
    'agent-step0:aaaa': 'agent-step0',
    'agent-step1:bbbb': 'agent-step1',
    'greeter:cccc': 'greeter:cccc',
    'greeter:dddd': 'greeter:dddd',
    plain: 'plain',
  })
})
