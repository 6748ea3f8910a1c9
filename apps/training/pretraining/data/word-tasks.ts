import { question, type Task } from './exercise.ts'
import { phrase } from './phrase.ts'
import type { Random } from './random.ts'
import { anyWord, words } from './vocabulary.ts'

const repeat = [
  'Repeat: {word}',
  'Say {word}.',
  'Repeat the word {word}.',
  'Write {word}.',
  'Echo {word}',
  'Say "{word}".',
  'Copy this: {word}',
]
const reverse = ['Reverse {word}.', 'Write {word} backwards.', 'Spell {word} backwards.', 'Reverse: {word}']
const firstLetter = ['What is the first letter of {word}?', 'First letter of {word}?', 'Which letter does {word} begin with?']
const lastLetter = ['What is the last letter of {word}?', 'Last letter of {word}?', 'Which letter does {word} end with?']
const uppercase = ['Write {word} in uppercase.', 'Uppercase: {word}', 'Put {word} in capitals.', 'Make {word} uppercase.']
const length = [
  'How many letters has {word}?',
  'Count the letters of {word}.',
  'How long is the word {word}?',
  'Number of letters in {word}?',
]
const beginsWith = [
  'Give me a word that begins with {letter}.',
  'A word with {letter} at the start?',
  'Reply with a word that starts with {letter}.',
  'Say a word that begins with {letter}.',
  'Name a word starting with {letter}.',
]
const ofLength = ['Give me a word of {count} letters.', 'Reply with a word that has {count} letters.', 'Say a word with {count} letters.']
const spell = ['Spell {word}.', 'Spell the word {word}.', 'Write {word} letter by letter.']

const reversed = (text: string) => [...text].toReversed().join('')

interface WordTask {
  name: string
  weight: number
  wordings: readonly string[]
  answer: (given: string) => string
  short?: boolean
}

/** A task that turns any word into a text. */
function wordTask({ name, weight, wordings, answer, short = false }: WordTask): Task {
  const create = (random: Random) => {
    const given = anyWord(random, { short })
    return question(given, phrase(random, wordings, { word: given }), answer(given))
  }
  return { name, weight, create }
}

/** A task that many words solve. */
function choiceTask(
  name: string,
  weight: number,
  create: (random: Random, found: string) => { asked: string; accepts: (text: string) => boolean },
): Task {
  return {
    name,
    weight,
    create: (random) => {
      const found = random.pick(words)
      const { asked, accepts } = create(random, found)
      return question(asked.toLowerCase(), asked, found, accepts)
    },
  }
}

export const wordTasks: readonly Task[] = [
  wordTask({ name: 'repeat', weight: 5, wordings: repeat, answer: (given) => given }),
  wordTask({ name: 'reverse', weight: 4, wordings: reverse, answer: reversed, short: true }),
  wordTask({ name: 'first-letter', weight: 2, wordings: firstLetter, answer: (given) => given.charAt(0) }),
  wordTask({ name: 'last-letter', weight: 2, wordings: lastLetter, answer: (given) => given.at(-1) ?? '' }),
  wordTask({ name: 'uppercase', weight: 3, wordings: uppercase, answer: (given) => given.toUpperCase() }),
  wordTask({ name: 'spell', weight: 2, wordings: spell, answer: (given) => [...given].join('-'), short: true }),
  wordTask({ name: 'count-letters', weight: 3, wordings: length, answer: (given) => String(given.length) }),
  choiceTask('begins-with', 4, (random, found) => ({
    asked: phrase(random, beginsWith, { letter: found.charAt(0) }),
    accepts: (text) => words.includes(text) && text.startsWith(found.charAt(0)),
  })),
  choiceTask('word-of-length', 3, (random, found) => ({
    asked: phrase(random, ofLength, { count: found.length }),
    accepts: (text) => words.includes(text) && text.length === found.length,
  })),
]
