import { expect, test } from 'vitest'
import { titleOfQuestion } from './title-of-question.ts'

test.each([
  ['Revoke this link? Whoever has it sees nothing from then on.', 'Revoke this link?', 'Whoever has it sees nothing from then on.'],
  ['Discard your changes?', 'Discard your changes?', ''],
  ['Some values are not saved. Leave them?', 'Some values are not saved. Leave them?', ''],
  ['Leave?', 'Leave?', ''],
])('%j is titled %j', (text, title, rest) => expect(titleOfQuestion(text)).toEqual({ title, rest }))
