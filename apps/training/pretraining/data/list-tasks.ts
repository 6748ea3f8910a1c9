import { question, type Exercise, type Task } from './exercise.ts'
import { phrase } from './phrase.ts'
import type { Random } from './random.ts'
import { words } from './vocabulary.ts'

const short = words.filter((text) => text.length <= 5)
const ordinals = ['first', 'second', 'third', 'last'] as const

const items = [
  'What is the {place} item of {list}?',
  'The {place} of: {list}',
  '{list}. Which is the {place}?',
  'Give the {place} word of {list}.',
]
const counts = ['How many items: {list}?', 'Count: {list}', 'How many words are in {list}?', 'Number of items in {list}?']
const sorts = ['Sort {list}.', 'Sort the numbers {list}.', 'Put in order: {list}', 'Sort ascending: {list}']
const largest = ['The largest of {list}?', 'What is the largest of {list}?', 'Maximum of {list}?']
const reversals = ['Reverse the list {list}.', 'List backwards: {list}', 'Reverse the order of {list}.']
const memberships = ['Is {word} in {list}?', 'Does {list} contain {word}?', '{list}: is {word} there?']

const joined = (parts: readonly (string | number)[]) => parts.join(', ')
const digits = (random: Random) => random.sample([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], random.int(3, 4))

function item(random: Random): Exercise {
  const chosen = random.sample(short, random.int(2, 4))
  const place = random.pick(ordinals.filter((name, index) => name === 'last' || index < chosen.length))
  const answer = place === 'last' ? chosen.at(-1) : chosen[ordinals.indexOf(place)]
  const list = joined(chosen)
  return question(`${place} ${list}`, phrase(random, items, { place, list }), answer ?? '')
}

function count(random: Random): Exercise {
  const list = joined(random.sample(short, random.int(1, 5)))
  return question(list, phrase(random, counts, { list }), String(list.split(',').length))
}

function sort(random: Random): Exercise {
  const chosen = digits(random)
  const list = joined(chosen)
  return question(list, phrase(random, sorts, { list }), joined(chosen.toSorted((a, b) => a - b)))
}

function maximum(random: Random): Exercise {
  const chosen = digits(random)
  const list = joined(chosen)
  return question(list, phrase(random, largest, { list }), String(Math.max(...chosen)))
}

function reversal(random: Random): Exercise {
  const chosen = random.chance(0.5) ? digits(random) : random.sample(short, random.int(2, 3))
  const list = joined(chosen)
  return question(list, phrase(random, reversals, { list }), joined(chosen.toReversed()))
}

function membership(random: Random): Exercise {
  const chosen = random.sample(short, random.int(3, 5))
  const word = chosen[0] ?? ''
  const inside = random.chance(0.5)
  const listed = inside ? random.sample(chosen, chosen.length) : chosen.slice(1)
  const list = joined(listed)
  return question(`${word} ${list}`, phrase(random, memberships, { word, list }), inside ? 'yes' : 'no')
}

export const listTasks: readonly Task[] = [
  { name: 'list-item', weight: 4, create: item },
  { name: 'list-count', weight: 2, create: count },
  { name: 'list-sort', weight: 3, create: sort },
  { name: 'list-maximum', weight: 2, create: maximum },
  { name: 'list-reverse', weight: 2, create: reversal },
  { name: 'list-contains', weight: 2, create: membership },
]
