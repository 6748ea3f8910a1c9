import { readFileSync } from 'node:fs'
import { stdout } from 'node:process'
import { parseJson } from '@heddle/json'
import { compileChatTemplate } from '../src/tokenizer/chat-template.ts'
import type { Conversation } from '../src/tokenizer/conversation.ts'
import { fromJson } from '../src/tokenizer/jinja/from-json.ts'
import { parseTemplate } from '../src/tokenizer/jinja/parse.ts'
import { renderTemplate } from '../src/tokenizer/jinja/render.ts'
import type { Value } from '../src/tokenizer/python/values.ts'
import { templateGlobals } from '../src/tokenizer/template-globals.ts'
import { findToolCallFormat, NoToolCalls, withArgumentObjects } from '../src/tokenizer/tool-call-format.ts'
import { toPlainMessages } from '../src/tokenizer/plain-messages.ts'

/** Renders the cases of the Python tests: the argument is a file of templates, and the texts are written as JSON; null for refused templates. */
type Task =
  | { kind: 'values'; values: Record<string, unknown>; templates: string[] }
  | { kind: 'chats'; templates: { source: string; tokens: Record<string, string> }[]; cases: Case[] }

interface Case {
  messages: Conversation['messages']
  tools: unknown[] | null
  add_generation_prompt: boolean
  variables: Record<string, unknown>
}

const limits = { maxKeys: Infinity, maxDepth: 1_000 }
const task = parseJson(readFileSync(process.argv[2]!), limits) as Task
const now = () => new Date(2026, 0, 2, 3, 4, 5)

function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}

function renderValues({ values, templates }: Extract<Task, { kind: 'values' }>): (string | null)[] {
  return templates.map((template) => {
    const own = Object.entries(values).map(([name, value]): [string, Value] => [name, fromJson(value)])
    return orNull(() => renderTemplate(parseTemplate(template), new Map([...Object.entries(templateGlobals(now)), ...own])))
  })
}

function renderChats({ templates, cases }: Extract<Task, { kind: 'chats' }>) {
  return templates.map(({ source, tokens }) => {
    const render = compileChatTemplate({ source, path: 'the template', tokens, now })
    const calls = findToolCallFormat({ render, specialTexts: Object.values(tokens) })
    const texts = cases.map(({ messages, tools, add_generation_prompt: addGenerationPrompt, variables }) => {
      const own = () => (calls.takesText ? messages : withArgumentObjects(toPlainMessages(messages)))
      return orNull(() => render({ messages: own(), tools, addGenerationPrompt, variables }))
    })
    return { texts, takesText: calls.takesText, calls: calls instanceof NoToolCalls ? calls.reason : calls }
  })
}

stdout.write(JSON.stringify(task.kind === 'values' ? renderValues(task) : renderChats(task)))
