import type { RenderConversation, TemplateMessage } from './conversation.ts'
import { fromJson } from './jinja/from-json.ts'
import type { Statement } from './jinja/nodes.ts'
import { parseTemplate } from './jinja/parse.ts'
import { renderTemplate } from './jinja/render.ts'
import type { Value } from './python/values.ts'
import { toPlainMessages } from './plain-messages.ts'
import { templateGlobals } from './template-globals.ts'
import { ChatTemplateError, TokenizerError } from './tokenizer-error.ts'

export interface ChatTemplateOptions {
  source: string
  /** The file that it is from, for messages. */
  path: string
  /** Texts that templates write around turns, such as `bos_token`. */
  tokens: Readonly<Record<string, string>>
  now: () => Date
}

/**
 * Compiles a chat template: Jinja with the variables of the Transformers library (`messages`, `tools`, `add_generation_prompt`, special tokens by name).
 * @throws TokenizerError when it cannot be parsed
 */
export function compileChatTemplate({ source, path, tokens, now }: ChatTemplateOptions): RenderConversation {
  const statements = compile(source, path)
  return (conversation) => {
    const variables = new Map(Object.entries(templateGlobals(now)))
    const set = (values: object) => {
      for (const [name, value] of Object.entries(values)) variables.set(name, fromJson(value))
    }
    const own = {
      ...tokens,
      tools: conversation.tools?.length ? conversation.tools : null,
      add_generation_prompt: conversation.addGenerationPrompt === true,
    }
    // The caller's values never replace those that the template relies on.
    const others = Object.entries(conversation.variables ?? {}).filter(([name]) => name !== 'messages' && !variables.has(name))
    set({ documents: null, ...Object.fromEntries(others), ...own })
    const render = (messages: readonly TemplateMessage[]) =>
      run(statements, variables.set('messages', fromJson(messages.map(withReasoning))))
    const messages = toPlainMessages(conversation.messages)
    return conversation.continueFinalMessage === true ? renderOpenEnded(messages, render) : render(messages)
  }
}

const reasoningFields = ['reasoning_content', 'thinking', 'reasoning'] as const

/** Reasoning under each of the names that templates read it by, as in the Transformers library. */
function withReasoning(message: TemplateMessage): TemplateMessage {
  const reasoning = reasoningFields.map((field) => message[field]).find((value) => value !== null && value !== undefined)
  return reasoning === undefined ? message : { thinking: reasoning, ...message, reasoning_content: reasoning }
}

function compile(source: string, path: string): Statement[] {
  try {
    return parseTemplate(source)
  } catch (error) {
    throw new TokenizerError(`the chat template in ${path} cannot be parsed: ${(error as Error).message}`, { cause: error })
  }
}

function run(statements: readonly Statement[], variables: ReadonlyMap<string, Value>): string {
  try {
    return renderTemplate(statements, variables)
  } catch (error) {
    if (error instanceof ChatTemplateError) throw error
    throw new ChatTemplateError(`the chat template cannot render these messages: ${(error as Error).message}`, { cause: error })
  }
}

/** Does not occur in messages, and survives templates that trim content. */
const mark = '\u{F8FF}continued-here\u{F8FF}'

function renderOpenEnded(messages: readonly TemplateMessage[], render: (messages: readonly TemplateMessage[]) => string): string {
  const last = messages.at(-1)
  if (last === undefined) throw new ChatTemplateError('there is no message to continue')
  const text = render([...messages.slice(0, -1), { ...last, content: `${last.content as string}${mark}` }])
  const end = text.lastIndexOf(mark)
  if (end < 0) throw new ChatTemplateError(`the chat template leaves out the last message (role "${last.role}"), so it cannot be continued`)
  return text.slice(0, end)
}
