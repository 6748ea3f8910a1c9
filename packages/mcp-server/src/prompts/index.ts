export { promptText, type PromptArgument, prompts, type PromptTemplate } from './prompts.ts'
