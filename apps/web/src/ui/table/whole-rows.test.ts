import { expect, test } from 'vitest'
import { isJump, noRows, wholeAfterScroll, withMoreWhole } from './whole-rows.ts'

const inSight = { first: 100, last: 121 }
const drawn = { first: 92, last: 129 }
const still = { inSight, drawn, isJump: false, isFlight: false }

test('the first rows and those of slow scrolling are drawn whole at once', () => {
  expect(isJump(undefined, inSight)).toBe(false)
  expect(isJump({ first: 84, last: 121 }, inSight)).toBe(false)
  expect(wholeAfterScroll(undefined, still)).toBeUndefined()
})

test('rows that are jumped to are drawn whole in steps, those in sight first and downwards', () => {
  expect(isJump({ first: 0, last: 37 }, inSight)).toBe(true)
  const steps = [wholeAfterScroll(undefined, { ...still, isJump: true })]
  for (let step = steps[0]; step !== undefined; steps.push(step)) step = withMoreWhole(step, still)
  expect(steps).toEqual([{ first: 100, last: 111 }, { first: 100, last: 121 }, { first: 96, last: 129 }, undefined])
})

test('rows that fly past are not drawn whole', () => {
  expect(wholeAfterScroll({ first: 60, last: 71 }, { ...still, isJump: true, isFlight: true })).toEqual(noRows)
})

test('scrolling on while rows are drawn whole keeps those that are', () => {
  const whole = { first: 100, last: 111 }
  const next = { ...still, inSight: { first: 103, last: 124 }, drawn: { first: 95, last: 132 } }
  expect(wholeAfterScroll(whole, next)).toEqual({ first: 100, last: 123 })
})

test('rows that are no more in the page are not counted', () => {
  expect(withMoreWhole({ first: 10, last: 21 }, still)).toEqual({ first: 100, last: 111 })
})

test('the last rows of a list are all drawn whole', () => {
  const end = { inSight: { first: 0, last: 4 }, drawn: { first: 0, last: 4 } }
  expect(withMoreWhole(noRows, end)).toBeUndefined()
})
