import { BoundedInterpreter } from './bounded-interpreter.ts'
import type { RenderConversation, TemplateMessage } from './conversation.ts'
import { Environment, Template, type TemplateNode } from './jinja.ts'
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
  const parsed = parseTemplate(source, path)
  return (conversation) => {
    const environment = new Environment()
    const own = {
      ...tokens,
      tools: conversation.tools?.length ? conversation.tools : null,
      add_generation_prompt: conversation.addGenerationPrompt === true,
      ...templateGlobals(now),
    }
    // What the caller sends never replaces what the template counts on.
    const variables = { ...conversation.variables, ...own }
    for (const [name, value] of Object.entries(variables)) if (name !== 'messages' && name !== 'namespace') environment.set(name, value)
    const render = (messages: readonly TemplateMessage[]) => {
      environment.setVariable('messages', new Environment().set('messages', messages))
      return run(new BoundedInterpreter(environment), parsed)
    }
    const messages = conversation.messages.map(toPlainContent)
    return conversation.continueFinalMessage === true ? renderOpenEnded(messages, render) : render(messages)
  }
}

function parseTemplate(source: string, path: string): TemplateNode {
  try {
    return new Template(source).parsed
  } catch (error) {
    throw new TokenizerError(`the chat template in ${path} cannot be parsed: ${(error as Error).message}`, { cause: error })
  }
}

function run(interpreter: BoundedInterpreter, program: TemplateNode): string {
  try {
    return String(interpreter.run(program).value)
  } catch (error) {
    if (error instanceof ChatTemplateError) throw error
    throw new ChatTemplateError(`the chat template cannot render these messages: ${(error as Error).message}`, { cause: error })
  }
}

/** Content as one text: parts are joined by line breaks, and null is empty. */
function toPlainContent(message: TemplateMessage): TemplateMessage {
  const { content } = message
  if (typeof content === 'string') return message
  if (content === null || content === undefined) return { ...message, content: '' }
  return { ...message, content: content.map(({ type, text }) => partText(type, text)).join('\n') }
}

function partText(type: string, text: string | undefined): string {
  if (text !== undefined) return text
  throw new ChatTemplateError(`content of type "${type}" is not text, and this model reads text alone`)
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
