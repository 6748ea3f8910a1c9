import { expect, test } from 'vitest'
import { findTargets, isCallId, maxTargets, pageTargets } from './targets.ts'

const titlesOf = (text: string) => findTargets(pageTargets('e/p'), text).map(({ title }) => title)

test('pages are found by words of their titles, the one that begins so first', () => {
  expect(titlesOf('traces')).toEqual(['Traces', 'Traces: errors', 'Train from traces'])
  expect(titlesOf('keys')).toEqual(['Settings: API keys'])
  expect(titlesOf('errors traces')).toEqual(['Traces: errors'])
  expect(titlesOf('nothing of this name')).toEqual([])
})

test('what has the text as its title comes before what begins with it', () => {
  const named = (title: string) => ({ href: `/${title}`, title, kind: 'op' })
  expect(findTargets([named('weather.predict'), named('Weather'), named('bad weather')], ' weather').map(({ title }) => title)).toEqual([
    'Weather',
    'weather.predict',
    'bad weather',
  ])
})

test('without a project only pages of the server are offered, and never more than a screen holds', () => {
  expect(pageTargets(undefined).map(({ href }) => href)).toEqual(['/', '/status'])
  const many = Array.from({ length: 50 }, (_, at) => ({ href: `/${at}`, title: 'same', kind: 'page' }))
  expect(findTargets(many, 'same')).toHaveLength(maxTargets)
  expect(findTargets([...many.slice(0, 1), ...many.slice(0, 1)], '')).toHaveLength(1)
})

test.each([
  ['019ab0b4-8d36-7cc0-9d5f-5a2f8a3f3d11', true],
  ['00f067aa0ba902b7', true],
  ['4bf92f3577b34da6a3ce929d0e0e4736', true],
  ['Evaluation', false],
])('%s is an id of a call: %j', (text, is) => {
  expect(isCallId(text)).toBe(is)
})
