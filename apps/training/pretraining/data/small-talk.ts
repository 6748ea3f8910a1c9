import { question, type Task } from './exercise.ts'
import { phrase } from './phrase.ts'

type Topic = readonly [name: string, asked: readonly string[], answers: readonly string[]]

const topics: readonly Topic[] = [
  [
    'greeting',
    ['Hello!', 'Hi!', 'Hi there!', 'Hey!', 'Good morning!', 'Good evening!', 'Hello, assistant.', 'Hi, can we talk?'],
    ['Hello! How can I help?', 'Hi! How can I help?'],
  ],
  [
    'who',
    ['Who are you?', 'What are you?', "What's your name?", 'Tell me who you are.', 'Your name?', 'Introduce yourself.'],
    ['I am Heddle, a very small language model.'],
  ],
  [
    'can',
    ['What can you do?', 'How can you help me?', 'What are you good at?', 'List your skills.'],
    ['I do small sums, words, lists, JSON and tool calls.'],
  ],
  ['fine', ['How are you?', "How's it going?", 'How are you today?', 'Are you well?'], ['I am fine, thanks!']],
  ['thanks', ['Thanks!', 'Thank you!', 'Thank you very much.', 'Great, thanks!', 'Nice work!'], ['You are welcome!']],
  ['bye', ['Bye!', 'Goodbye!', 'See you later!', 'Good night!', 'I have to go.'], ['Goodbye!']],
  ['human', ['Are you a human?', 'Are you a person?', 'Are you real?', 'Do you have a body?'], ['No, I am a program.']],
  [
    'size',
    ['How big are you?', 'Are you a large model?', 'How many parameters do you have?', 'Are you smart?'],
    ['I am very small and often wrong.'],
  ],
  ['yes', ['Say yes.', 'Answer yes.', 'Just say yes.'], ['yes']],
  ['no', ['Say no.', 'Answer no.', 'Just say no.'], ['no']],
  ['ok', ['Say ok.', 'Are you ready?', 'Ready?', "Let's start."], ['ok']],
]

export const smallTalk: Task = {
  name: 'small-talk',
  weight: 4,
  create: (random) => {
    const [name, asked, answers] = random.pick(topics)
    return question(name, phrase(random, asked), random.pick(answers), (text) => answers.includes(text))
  },
}
