import { describe, expect, test } from 'vitest'
import type { Exercise, Task } from './exercise.ts'
import { createTrainingExercise, heldOutExercises, isHeldOut } from './held-out.ts'
import { createRandom } from './random.ts'
import { tasks } from './tasks.ts'

const task = (name: string): Task => {
  const found = tasks.find((each) => each.name === name)
  if (!found) throw new Error(`no task ${name}`)
  return found
}

const exercises = (name: string, count = 200): Exercise[] => {
  const random = createRandom(5)
  return Array.from({ length: count }, () => task(name).create(random))
}

const asked = ({ turns }: Exercise) => turns[0].content
const answered = ({ turns }: Exercise) => turns[1].content
const numbers = (text: string) => [...text.matchAll(/\d+/g)].map(Number) as [number, number, ...number[]]
const lastWord = (text: string) => /(\w+)["'.?]*$/.exec(text)?.[1] ?? ''

describe('the answer is right', () => {
  test.each(['sum-1-digit', 'sum-2-digits'])('of %s', (name) => {
    for (const exercise of exercises(name)) {
      const [a, b] = numbers(asked(exercise))
      expect(Number(answered(exercise))).toBe(a + b)
    }
  })

  test.each(['difference-1-digit', 'difference-2-digits'])('of %s', (name) => {
    for (const exercise of exercises(name)) {
      const [first, second] = numbers(asked(exercise))
      expect(Number(answered(exercise))).toBe(/^subtract|: subtract|\bsubtract/i.test(asked(exercise)) ? second - first : first - second)
    }
  })

  test('of comparison', () => {
    for (const exercise of exercises('comparison')) {
      const pair = numbers(asked(exercise))
      expect(Number(answered(exercise))).toBe(/larger|bigger|max/i.test(asked(exercise)) ? Math.max(...pair) : Math.min(...pair))
    }
  })

  test('of list-sort', () => {
    for (const exercise of exercises('list-sort')) {
      expect(numbers(answered(exercise))).toEqual(numbers(asked(exercise)).toSorted((a, b) => a - b))
    }
  })

  test('of uppercase and of count-letters', () => {
    for (const exercise of exercises('uppercase')) expect(asked(exercise)).toContain(answered(exercise).toLowerCase())
    for (const exercise of exercises('count-letters')) {
      const found = /(?:has|of|word|in) (\w+)\W*$/.exec(asked(exercise))?.[1] ?? lastWord(asked(exercise))
      expect(Number(answered(exercise))).toBe(found.length)
    }
  })

  test('of the tasks that many texts solve, and a wrong one is refused', () => {
    for (const name of ['begins-with', 'word-of-length']) {
      for (const { turns, accepts } of exercises(name)) {
        expect(accepts?.(turns[1].content)).toBe(true)
        expect(accepts?.('xx')).toBe(false)
      }
    }
  })

  test('of tasks with JSON, whose values all are in the question', () => {
    for (const exercise of ['json-object', 'json-person', 'json-array'].flatMap((name) => exercises(name))) {
      for (const value of Object.values(JSON.parse(answered(exercise)) as object)) expect(asked(exercise)).toContain(String(value))
    }
  })

  test('of tool-call: it calls a tool that is offered, with its arguments', () => {
    for (const { turns, tools } of exercises('tool-call')) {
      const call = turns[1].role === 'assistant' ? turns[1].call : undefined
      const offered = tools?.find(({ name }) => name === call?.name)
      expect(Object.keys(offered?.arguments ?? {})).toEqual(Object.keys(call?.arguments ?? { missing: 1 }))
      for (const [argument, type] of Object.entries(offered?.arguments ?? {})) expect(typeof call?.arguments[argument]).toBe(type)
    }
  })
})

test.each(tasks.map((each) => [each.name, each] as const))('%s follows from the seed, and is worded in several ways', (_, each) => {
  const of = (seed: number) =>
    Array.from(
      { length: 20 },
      (
        (random) => () =>
          each.create(random)
      )(createRandom(seed)),
    )
  const texts = (list: Exercise[]) => list.map(({ turns, key }) => JSON.stringify([key, turns]))
  expect(texts(of(1))).toEqual(texts(of(1)))
  expect(new Set(texts(of(1))).size).toBeGreaterThan(10)
})

test('what is held out is about a tenth, and never trained on', () => {
  const random = createRandom(3)
  const sum = task('sum-2-digits')
  const trained = Array.from({ length: 500 }, () => createTrainingExercise(sum, random))
  expect(trained.filter(({ key }) => isHeldOut(sum, key))).toEqual([])
  const all = exercises('sum-2-digits', 1000).filter(({ key }) => isHeldOut(sum, key)).length
  expect(all).toBeGreaterThan(60)
  expect(all).toBeLessThan(140)
  expect(heldOutExercises(sum, 30).every(({ key }) => isHeldOut(sum, key))).toBe(true)
})
