import { asciiJson, nestedText, type Content } from './nested-text.ts'
import { passage, rareWord, type TextSource } from './payload-text.ts'

export type SpanAttributes = Record<string, string | number | boolean>

export interface SpanAttributesOptions {
  /** About how many bytes of prompt and answer; 0 for plain attributes alone. */
  textBytes: number
  source: TextSource
  /** True puts the rare word into the prompt. */
  hasRareWord?: boolean
  /** Default: plain. */
  content?: Content | undefined
}

const models = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet', 'llama-70b'] as const
const operations = ['chat', 'execute_tool', 'embeddings', 'invoke_agent'] as const
/** Values of each attribute that tells customers, releases and prompts apart: one matches 0.5 % of the spans. */
export const valuesOfAttribute = 200

/** Name and attributes of a span about a model, as instrumentations of the GenAI convention write them. */
export function spanAttributes(options: SpanAttributesOptions): { name: string; attributes: SpanAttributes } {
  const { random } = options.source
  const operation = random.pick(operations)
  const model = random.pick(models)
  const plain: SpanAttributes = {
    'gen_ai.operation.name': operation,
    'gen_ai.request.model': model,
    'gen_ai.response.model': `${model}-2026`,
    'gen_ai.response.id': `r-${random.bytes(6).toString('hex')}`,
    'gen_ai.request.temperature': random.below(10) / 10,
    'gen_ai.usage.input_tokens': 50 + random.below(3_000),
    'gen_ai.usage.output_tokens': random.below(900),
    'app.user.tier': random.next() < 0.1 ? 'pro' : 'free',
    'app.user.id': `u${random.below(20_000)}`,
    'app.score': random.below(1_000_000) / 1_000_000,
  }
  const content = options.content === 'nested' ? nestedAttributes(options) : plainMessages(options)
  return { name: `${operation} ${model}`, attributes: { ...plain, ...content } }
}

function plainMessages({ textBytes, source, hasRareWord }: SpanAttributesOptions): SpanAttributes {
  if (textBytes === 0) return {}
  const message = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
  const prompt = passage(source, textBytes / 2) + (hasRareWord ? ` ${rareWord}` : '')
  return {
    'gen_ai.input.messages': JSON.stringify([message('system', 'You are a helpful assistant.'), message('user', prompt)]),
    'gen_ai.output.messages': JSON.stringify([message('assistant', passage(source, textBytes / 2))]),
  }
}

function nestedAttributes(options: SpanAttributesOptions): SpanAttributes {
  const { random } = options.source
  const oneOf = (prefix: string) => `${prefix}-${random.below(valuesOfAttribute)}`
  return {
    'app.customer': oneOf('customer'),
    'app.release': oneOf('release'),
    'app.prompt': oneOf('prompt'),
    ...nestedMessages(options),
  }
}

function nestedMessages({ textBytes, source, hasRareWord }: SpanAttributesOptions): SpanAttributes {
  if (textBytes === 0) return {}
  const text = (content: string) => ({ type: 'text', content })
  const question = text(nestedText(source, textBytes * 0.5, hasRareWord ? rareWord : ''))
  const callArguments = asciiJson({ query: nestedText(source, textBytes * 0.1), limit: 5 })
  return {
    'gen_ai.input.messages': asciiJson([
      { role: 'system', parts: [text('You are a helpful assistant.\nAnswer in \u201cMarkdown\u201d.')] },
      { role: 'user', parts: [question] },
    ]),
    'gen_ai.output.messages': asciiJson([
      {
        role: 'assistant',
        parts: [text(nestedText(source, textBytes * 0.4)), { type: 'tool_call', name: 'search', arguments: callArguments }],
      },
    ]),
  }
}
