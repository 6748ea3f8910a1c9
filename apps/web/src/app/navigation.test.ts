import { expect, test } from 'vitest'
import { isPageOf, navigation } from './navigation.ts'

const pages = navigation.flatMap((group) => group.pages)
const currentAt = (address: string) => pages.filter((page) => isPageOf(page, address)).map(({ title }) => title)

test.each([
  ['', 'Overview'],
  ['calls', 'Traces'],
  ['calls/1', 'Traces'],
  ['training/jobs', 'Jobs'],
  ['training/start', 'Jobs'],
  ['training/models/m/trajectories', 'Models'],
  ['scorers/exact_match', 'Library'],
  ['prompts/greeting', 'Prompts'],
  ['settings', 'Settings'],
])('%j belongs to one page of the sidebar: %s', (address, title) => expect(currentAt(address)).toEqual([title]))

test('an address of no page belongs to none, also one that only begins like a page', () => {
  expect(currentAt('callsign')).toEqual([])
  expect(currentAt('nothing-here')).toEqual([])
})
