import { question, type Task } from './exercise.ts'
import { phrase } from './phrase.ts'
import type { Random } from './random.ts'

const sums = [
  'What is {a}+{b}?',
  'What is {a} + {b}?',
  '{a}+{b}',
  '{a} + {b} =',
  'Add {a} and {b}.',
  'What is {a} plus {b}?',
  'Compute {a}+{b}.',
  'The sum of {a} and {b}?',
  'How much is {a} plus {b}?',
]
const differences = [
  'What is {a}-{b}?',
  'What is {a} - {b}?',
  '{a}-{b}',
  '{a} - {b} =',
  'Subtract {b} from {a}.',
  'What is {a} minus {b}?',
  'Compute {a}-{b}.',
  'How much is {a} minus {b}?',
]
const products = ['What is {a}*{b}?', '{a}*{b}', '{a} * {b} =', 'What is {a} times {b}?', 'Multiply {a} by {b}.']
const larger = [
  'Which is larger, {a} or {b}?',
  'Which number is bigger: {a} or {b}?',
  'The larger of {a} and {b}?',
  'Larger: {a} or {b}?',
  'max({a},{b})',
]
const smaller = ['Which is smaller, {a} or {b}?', 'The smaller of {a} and {b}?', 'Smaller: {a} or {b}?', 'min({a},{b})']
const next = ['What comes after {a}?', 'Which number follows {a}?', 'The next number after {a}?', 'Count on from {a}.']

const sum = (random: Random, highest: number) => {
  const [a, b] = [random.int(0, highest), random.int(0, highest)]
  return question(`${a}+${b}`, phrase(random, sums, { a, b }), String(a + b))
}

const difference = (random: Random, highest: number) => {
  const a = random.int(0, highest)
  const b = random.int(0, a)
  return question(`${a}-${b}`, phrase(random, differences, { a, b }), String(a - b))
}

const product = (random: Random) => {
  const [a, b] = [random.int(0, 9), random.int(0, 9)]
  return question(`${a}*${b}`, phrase(random, products, { a, b }), String(a * b))
}

const comparison = (random: Random) => {
  const highest = random.pick([9, 99])
  const a = random.int(0, highest)
  const b = (a + random.int(1, highest)) % (highest + 1)
  return random.chance(0.5)
    ? question(`max ${a} ${b}`, phrase(random, larger, { a, b }), String(Math.max(a, b)))
    : question(`min ${a} ${b}`, phrase(random, smaller, { a, b }), String(Math.min(a, b)))
}

const successor = (random: Random) => {
  const a = random.int(0, 98)
  return question(`after ${a}`, phrase(random, next, { a }), String(a + 1))
}

export const arithmetic: readonly Task[] = [
  { name: 'sum-1-digit', weight: 5, create: (random) => sum(random, 9) },
  { name: 'sum-2-digits', weight: 5, create: (random) => sum(random, 99) },
  { name: 'difference-1-digit', weight: 4, create: (random) => difference(random, 9) },
  { name: 'difference-2-digits', weight: 4, create: (random) => difference(random, 99) },
  { name: 'product', weight: 2, create: product },
  { name: 'comparison', weight: 4, create: comparison },
  { name: 'successor', weight: 2, create: successor },
]
