import type { ChatTokenizer } from '../tokenizer/chat-tokenizer.ts'

/** What sequences need of the tokens and the chat template of a model. */
export type SequenceTokenizer = Pick<ChatTokenizer, 'vocabularySize' | 'special' | 'encode' | 'decode' | 'idOf' | 'render'>
