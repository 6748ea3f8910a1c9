import { expect, test } from 'vitest'
import { attemptSeed, jobSeed, seedRanges } from './attempt-seed.ts'
import { createWeatherTasks, practisedTasks } from './weather-tasks.ts'

const citiesOf = (tasks: readonly { city: string }[]) => new Set(tasks.map(({ city }) => city))

test('cities are either practised or held out, whatever the round', () => {
  const tasks = createWeatherTasks(7)
  const heldOut = citiesOf(tasks.heldOut)
  const practised = citiesOf([1, 2, 3].flatMap((round) => tasks.ofRound(round, practisedTasks)))
  expect([...practised].filter((city) => heldOut.has(city))).toEqual([])
  expect(tasks.heldOut).toHaveLength(44)
  expect(tasks.ofRound(1, practisedTasks + 1)).toHaveLength(practisedTasks)
})

test('a round has different questions, the same for the same seed, and others in the next round and for another seed', () => {
  const questions = (seed: number, round: number) =>
    createWeatherTasks(seed)
      .ofRound(round, 8)
      .map(({ question }) => question)
  expect(new Set(questions(1, 1)).size).toBe(8)
  expect(questions(1, 1)).toEqual(questions(1, 1))
  expect(questions(1, 2)).not.toEqual(questions(1, 1))
  expect(questions(2, 1)).not.toEqual(questions(1, 1))
  expect(createWeatherTasks(2).heldOut).not.toEqual(createWeatherTasks(1).heldOut)
})

test('no two attempts share a seed, and the largest seeds are exact and those of jobs in their range', () => {
  const places = [0, 1].flatMap((round) => [0, 1].flatMap((task) => [0, 1].map((attempt) => ({ round, task, attempt }))))
  expect(new Set([1, 2].flatMap((seed) => places.map((place) => attemptSeed(seed, place)))).size).toBe(16)
  const { seed, round, task, attempt } = seedRanges
  expect(attemptSeed(seed - 1, { round: round - 1, task: task - 1, attempt: attempt - 1 }) * 2 + 1).toBeLessThan(Number.MAX_SAFE_INTEGER)
  expect(jobSeed(seed - 1, round - 1)).toBeLessThan(2 ** 31)
})
