import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillVariables, fromPromptText, toPromptText, variablesIn } from './variables.ts'

const says = (content: string, isParts = false) => ({ role: 'user' as const, content, isParts })

test('variables are listed once, in the order in which they are first seen, and not those of parts', () => {
  const messages = [says('Today is {{today}}, order {{ order_id }}'), says('{{today}} {{today}} {single} {{1x}}'), says('[{{part}}]', true)]
  expect(variablesIn(messages)).toEqual(['today', 'order_id'])
})

test.each([
  ['order {{id}}', { id: '7' }, 'order 7'],
  ['order {{id}}', { id: '' }, 'order {{id}}'],
  ['order {{id}} of {{toString}}', { id: '$&' }, 'order $& of {{toString}}'],
])('%j with %j is %j', (text, values, filled) => {
  expect(fillVariables(text, values)).toBe(filled)
})

test.each([
  ['Answer {{question}} as {"a": 1}', 'Answer {question} as {{"a": 1}}'],
  ['no variable, {"a": 1}', 'no variable, {"a": 1}'],
])('%j is the prompt %j, and back again', (text, prompt) => {
  expect(toPromptText(text)).toBe(prompt)
  expect(fromPromptText(prompt)).toBe(text)
})

test('a text with a variable is the same after it was a prompt', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '{', '}', ' ', '{{x}}', '"') })
  fc.assert(
    fc.property(part, part, (before, after) => {
      const text = `${before} {{name}} ${after}`
      expect(fromPromptText(toPromptText(text))).toBe(text)
    }),
  )
})
