import { question, type Exercise, type Task } from './exercise.ts'
import { phrase } from './phrase.ts'
import type { Random } from './random.ts'
import { cities, colors, names, things, words } from './vocabulary.ts'

interface Field {
  key: string
  value: (random: Random) => string | number
  /** How a sentence states the value. */
  told: string
}

const fields: readonly Field[] = [
  { key: 'name', value: (random) => random.pick(names), told: 'the name is {value}' },
  { key: 'age', value: (random) => random.int(1, 99), told: 'the age is {value}' },
  { key: 'city', value: (random) => random.pick(cities), told: 'the city is {value}' },
  { key: 'color', value: (random) => random.pick(colors), told: 'the color is {value}' },
  { key: 'count', value: (random) => random.int(0, 99), told: 'the count is {value}' },
  { key: 'item', value: (random) => random.pick(things), told: 'the item is {value}' },
  { key: 'word', value: (random) => random.pick(words), told: 'the word is {value}' },
  { key: 'price', value: (random) => random.int(1, 99), told: 'the price is {value}' },
]

const objects = [
  'JSON with {keys}: {told}.',
  'Reply in JSON with the keys {keys}. {told}.',
  'As JSON with {keys}: {told}.',
  'Give a JSON object with {keys}; {told}.',
]
const assignments = ['To JSON: {assigned}', 'Write as JSON: {assigned}', 'JSON of {assigned}', 'Make a JSON object: {assigned}']
const arrays = ['JSON list of {list}', 'Write {list} as a JSON list.', 'As a JSON array: {list}', 'To a JSON array: {list}']
const people = [
  '{name} is {age} and lives in {city}. JSON with name, age, city.',
  'JSON with name, age, city: {name}, {age}, from {city}.',
  '{name}, aged {age}, is from {city}. Reply in JSON: name, age, city.',
]

function object(random: Random): Exercise {
  const chosen = random.sample(fields, random.int(1, 3)).map(({ key, value, told }) => ({ key, told, value: value(random) }))
  const answer = JSON.stringify(Object.fromEntries(chosen.map(({ key, value }) => [key, value])))
  const told = chosen.map((field) => field.told.replace('{value}', String(field.value))).join(', ')
  const assigned = chosen.map(({ key, value }) => `${key}=${value}`).join(', ')
  const asked = random.chance(0.5)
    ? phrase(random, objects, { keys: chosen.map(({ key }) => key).join(', '), told })
    : phrase(random, assignments, { assigned })
  return question(answer, asked, answer)
}

function person(random: Random): Exercise {
  const values = { name: random.pick(names), age: random.int(1, 99), city: random.pick(cities) }
  const answer = JSON.stringify(values)
  return question(answer, phrase(random, people, values), answer)
}

function array(random: Random): Exercise {
  const chosen = random.chance(0.5) ? random.sample(colors, random.int(2, 3)) : random.sample([1, 2, 3, 4, 5, 6, 7, 8, 9], random.int(2, 4))
  const answer = JSON.stringify(chosen)
  return question(answer, phrase(random, arrays, { list: chosen.join(', ') }), answer)
}

export const jsonTasks: readonly Task[] = [
  { name: 'json-object', weight: 6, create: object },
  { name: 'json-person', weight: 3, create: person },
  { name: 'json-array', weight: 3, create: array },
]
