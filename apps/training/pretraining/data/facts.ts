import { question, type Task } from './exercise.ts'
import { phrase } from './phrase.ts'

const pairs = (text: string): (readonly [string, string])[] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(':') as unknown as readonly [string, string])

const capitals = pairs(
  'France:Paris Spain:Madrid Italy:Rome Germany:Berlin Japan:Tokyo Egypt:Cairo Norway:Oslo Greece:Athens Poland:Warsaw Peru:Lima Portugal:Lisbon Austria:Vienna',
)
const opposites = pairs(
  'hot:cold big:small up:down day:night left:right open:closed fast:slow old:young dry:wet full:empty hard:soft light:dark',
)
const colorsOf = pairs('grass:green snow:white blood:red coal:black lemons:yellow milk:white bananas:yellow leaves:green')
const sounds = pairs('dog:woof cat:meow cow:moo duck:quack sheep:baa pig:oink')
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const legs = pairs('dog:4 cat:4 bird:2 ant:6 spider:8 horse:4 bee:6 hen:2 snake:0')

const kinds: readonly (readonly [string, readonly (readonly [string, string])[], readonly string[]])[] = [
  [
    'capital',
    capitals,
    [
      'What is the capital of {subject}?',
      'Capital of {subject}?',
      'Name the capital of {subject}.',
      'Which city is the capital of {subject}?',
    ],
  ],
  ['opposite', opposites, ['What is the opposite of {subject}?', 'Opposite of {subject}?', 'Give the opposite of {subject}.']],
  ['color', colorsOf, ['What color is {subject}?', 'Which color has {subject}?', 'Color of {subject}?']],
  ['sound', sounds, ['What does a {subject} say?', 'Which sound does a {subject} make?']],
  [
    'day-after',
    days.map((day, index) => [day, days[(index + 1) % 7] as string]),
    ['Which day comes after {subject}?', 'What day follows {subject}?', 'The day after {subject}?'],
  ],
  [
    'day-before',
    days.map((day, index) => [day, days[(index + 6) % 7] as string]),
    ['Which day comes before {subject}?', 'The day before {subject}?'],
  ],
  ['legs', legs, ['How many legs has a {subject}?', 'How many legs does a {subject} have?']],
]

/** Facts that we wrote down. They are memorized, so only wordings are held out. */
export const facts: Task = {
  name: 'facts',
  weight: 5,
  create: (random) => {
    const [kind, known, wordings] = random.pick(kinds)
    const [subject, answer] = random.pick(known)
    const asked = phrase(random, wordings, { subject })
    return question(`${kind} ${asked.toLowerCase().replace(/\W+$/, '')}`, asked, answer)
  },
}
