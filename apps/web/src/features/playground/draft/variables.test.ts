import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillVariables, fromPromptText, piecesOfDraft, piecesOfPrompt, toPromptText, variablesIn } from './variables.ts'

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

test('variables of a prompt stand apart from what is around them, and doubled braces next to them are none', () => {
  expect(piecesOfPrompt('To {name}: {{x}} {{{y}}}')).toEqual([
    { text: 'To ', isVariable: false },
    { text: '{name}', isVariable: true },
    { text: ': {{x}} {{', isVariable: false },
    { text: '{y}', isVariable: true },
    { text: '}}', isVariable: false },
  ])
  expect(piecesOfPrompt('')).toEqual([])
})

test.each(['Be {{kind}}, as JSON: {"a": 1}', 'Be {{ kind }}'])(
  'doubled braces are variables of the prompt %j, which has no others, as in a draft',
  (text) => {
    expect(piecesOfPrompt(text)).toEqual(piecesOfDraft(text))
    expect(piecesOfPrompt(text).filter(({ isVariable }) => isVariable)).toHaveLength(1)
    expect(fromPromptText(text)).toBe(text)
  },
)

const anyText = fc.string({ unit: fc.constantFrom('a', '{', '}', ' ', '{{x}}', '{y}') })
test('the pieces of a text are the text, and those of a draft are its variables', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const pieces of [piecesOfDraft(text), piecesOfPrompt(text)]) expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      const names = piecesOfDraft(text).flatMap((piece) => (piece.isVariable ? [piece.text.replaceAll(/[{}\s]/g, '')] : []))
      expect([...new Set(names)]).toEqual(variablesIn([says(text)]))
    }),
  )
})
