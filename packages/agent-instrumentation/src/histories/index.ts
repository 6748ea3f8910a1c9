export { type Choice, type Exchange, type History, isChoice, maxHistories, type Message } from './chat.ts'
export { createHistories, type Histories } from './histories.ts'
