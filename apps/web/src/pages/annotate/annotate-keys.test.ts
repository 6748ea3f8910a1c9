import { expect, test } from 'vitest'
import { type KeyPress, toAnnotateAction } from './annotate-keys.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isTyping: false,
  ...more,
})

test.each([
  ['ArrowRight', {}, { do: 'next' }],
  ['ArrowLeft', {}, { do: 'previous' }],
  ['ArrowDown', {}, { do: 'field-down' }],
  ['3', {}, { do: 'option', at: 2 }],
  ['s', {}, { do: 'skip' }],
  ['r', {}, { do: 'reopen' }],
  ['u', {}, { do: 'undo' }],
  ['n', {}, { do: 'note' }],
  ['c', {}, { do: 'corrected-output' }],
  ['Enter', { ctrlKey: true }, { do: 'complete' }],
  ['Enter', { metaKey: true, isTyping: true }, { do: 'complete' }],
  ['Enter', { isTyping: true }, { do: 'commit' }],
  ['Escape', { isTyping: true }, { do: 'leave-field' }],
] as const)('%s with %j is %j', (key, more, action) => {
  expect(toAnnotateAction(press(key, more))).toEqual(action)
})

test.each([
  ['a letter in a text', press('s', { isTyping: true })],
  ['a digit in a text', press('1', { isTyping: true })],
  ['a key that is held down', press('ArrowRight', { repeat: true })],
  ['going back in the browser', press('ArrowLeft', { altKey: true })],
  ['a new line in a text', press('Enter', { isTyping: true, shiftKey: true })],
  ['saving the page of the browser', press('s', { ctrlKey: true })],
  ['a key of every object', press('constructor')],
])('%s is not of the page', (_, keyPress) => {
  expect(toAnnotateAction(keyPress)).toBeUndefined()
})
