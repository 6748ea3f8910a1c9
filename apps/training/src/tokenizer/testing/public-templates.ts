import { readFileSync } from 'node:fs'
import { parseJson } from '@heddle/json'
import type { Conversation } from '../conversation.ts'
import { writeByteTokenizer } from './write-byte-tokenizer.ts'

const folder = new URL('../vectors/chat-templates/', import.meta.url)
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')

interface Family {
  bos_token: string
  eos_token: string
}

const families = JSON.parse(read('families.json')) as Record<string, Family>

/** Chat templates of public models that are kept here. */
export const publicTemplates: readonly string[] = Object.keys(families)

export interface RecordedPrompts {
  cases: {
    messages: Conversation['messages']
    tools: unknown[] | null
    add_generation_prompt: boolean
    variables: Record<string, unknown>
  }[]
  /** By template, one for each case; null where Transformers refuses it. */
  prompts: Record<string, (string | null)[]>
}

/** What Transformers makes of the templates. */
export const readRecordedPrompts = () => parseJson(read('prompts.json')) as RecordedPrompts

const specialToken = /<[|｜][^|｜>\s]+[|｜]>|\[[A-Z_/]+\]/g

/** Writes the tokenizer of a small model with the template and the special tokens of a public one. */
export async function writePublicTemplate(path: string, name: string): Promise<void> {
  const chatTemplate = read(`${name}.jinja`)
  const { bos_token, eos_token } = families[name]!
  const specials = [...new Set([bos_token, eos_token, '<|endoftext|>', ...(chatTemplate.match(specialToken) ?? [])])]
  await writeByteTokenizer(path, { chatTemplate, specials, config: { bos_token, eos_token } })
}
