import { expect, test } from 'vitest'
import { restoresScroll } from './restores-scroll.ts'

test('another page begins at its top or where it was, and a change of search parameters alone leaves the page where it is', () => {
  const restores = restoresScroll()
  expect(['/a', '/a', '/b', '/b', '/a'].map((pathname) => restores({ location: { pathname } }))).toEqual([true, false, true, false, true])
})
