import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectedTensors } from '../../src/base-models/expected-tensors.ts'
import { shippedModelsFolder } from '../../src/base-models/shipped-models.ts'
import { parseModelConfig } from '../../src/checkpoint-files/config-file.ts'
import { writeSafetensors } from '../../src/checkpoint-files/safetensors.ts'
import { byteLevelCharacters } from '../../src/tokenizer/token-bytes.ts'
import { writeByteTokenizer } from '../../src/tokenizer/testing/write-byte-tokenizer.ts'

/**
 * Writes a base model that follows a script, into the folder that is the argument: with the shell of a coding agent among its tools it calls it, and
 * after the result of a tool, or without such a tool, it answers "done". Its next token depends on the last one alone, so that prompts of any
 * length within its context have the same answer.
 */

const shellCalls = [
  { tool: 'Bash', call: '<tool_call>{"name":"Bash","arguments":{"command":"echo made > made.txt"}}</tool_call>', mark: '<|Bash|>' },
  {
    tool: 'exec_command',
    call: '<tool_call>{"name":"exec_command","arguments":{"cmd":"echo made > made.txt"}}</tool_call>',
    mark: '<|exec_command|>',
  },
]
const answer = { text: 'done', mark: '<|answer|>' }

/** A prompt ends with a special token, a mark, which says what follows. Of the tools it has the names alone, so that it stays short. */
const marks = shellCalls.map(({ tool, mark }) => `{%- elif '${tool}' in names -%}${mark}`).join('\n')
const chatTemplate = `{%- macro begin(before) -%}
<|im_start|>assistant
{%- set names = tools | map(attribute='function.name') | list if tools else [] -%}
{%- if before == 'tool' -%}${answer.mark}
${marks}
{%- else -%}${answer.mark}
{%- endif -%}
{%- endmacro -%}
{%- for tool in tools or [] -%}<|im_start|>tool {{ tool.function.name }}<|im_end|>{%- endfor -%}
{%- for message in messages -%}
{%- if message.role == 'assistant' -%}
{{- begin(loop.previtem.role) -}}{{- message.content or '' -}}
{%- for call in message.tool_calls or [] -%}
<tool_call>{"name":"{{ call.function.name }}","arguments":{{ call.function.arguments }}}</tool_call>
{%- endfor -%}
{%- else -%}
<|im_start|>{{ message.role }} {{ message.content }}
{%- endif -%}
<|im_end|>
{%- endfor -%}
{%- if add_generation_prompt -%}{{- begin(messages[-1].role) -}}{%- endif -%}`

const specials = ['<|endoftext|>', '<|im_start|>', '<|im_end|>', ...[...shellCalls, answer].map(({ mark }) => mark)]

/** Merges after which the text is one token. */
function mergesOf(text: string): [string, string][] {
  const [first = '', ...rest] = [...Buffer.from(text)].map((byte) => byteLevelCharacters[byte]!)
  let merged = first
  return rest.map((next) => {
    const pair: [string, string] = [merged, next]
    merged += next
    return pair
  })
}

/** Those of a model that comes with Heddle, so that prompts have fewer tokens. */
const usualMerges = (): [string, string][] => {
  const { model } = JSON.parse(readFileSync(join(shippedModelsFolder, 'heddle-nano', 'tokenizer.json'), 'utf8')) as {
    model: { merges: ([string, string] | string)[] }
  }
  return model.merges.map((pair) => (typeof pair === 'string' ? (pair.split(' ') as [string, string]) : pair))
}

const texts = [...shellCalls.map(({ call }) => call), answer.text]
const merges = distinct([...texts.flatMap(mergesOf), ...usualMerges()])
/** The first pair for each token: merges of texts with the same beginning are the same. */
function distinct(pairs: readonly [string, string][]): [string, string][] {
  const found = new Map<string, [string, string]>()
  for (const pair of pairs) if (!found.has(pair.join(''))) found.set(pair.join(''), pair)
  return [...found.values()]
}

const tokens = [...byteLevelCharacters, ...merges.map((pair) => pair.join(''))]
const tokenOf = (text: string) => tokens.indexOf([...Buffer.from(text)].map((byte) => byteLevelCharacters[byte]!).join(''))
const specialOf = (name: string) => tokens.length + specials.indexOf(name)
const endOfTurn = specialOf('<|im_end|>')

/** What follows a token. Everything else is followed by the end of the turn. */
const followers: readonly (readonly [token: number, next: number])[] = [
  ...shellCalls.map(({ mark, call }) => [specialOf(mark), tokenOf(call)] as const),
  [specialOf(answer.mark), tokenOf(answer.text)],
]

const width = 16
const vocabulary = tokens.length + specials.length
const config = {
  model_type: 'llama',
  hidden_size: width,
  intermediate_size: 24,
  num_hidden_layers: 1,
  num_attention_heads: 2,
  num_key_value_heads: 1,
  vocab_size: vocabulary,
  max_position_embeddings: 131_072,
  tie_word_embeddings: false,
  eos_token_id: endOfTurn,
}

/** Rows of one number each: the state of a token, or the token that a state is followed by. The blocks add nothing. */
function oneInEachRow(columnOf: (token: number) => number | undefined): Float32Array {
  const rows = new Float32Array(vocabulary * width)
  for (let token = 0; token < vocabulary; token++) {
    const column = columnOf(token)
    if (column !== undefined) rows[token * width + column] = 8
  }
  return rows
}

const usualState = followers.length
const stateOf = (token: number) => followers.findIndex(([from]) => from === token)
const statesBefore = new Map<number, number>([...followers.map(([, next], state) => [next, state] as const), [endOfTurn, usualState]])

const weightsOf = (name: string, length: number): Float32Array => {
  if (name === 'model.embed_tokens.weight') return oneInEachRow((token) => (stateOf(token) < 0 ? usualState : stateOf(token)))
  if (name === 'lm_head.weight') return oneInEachRow((token) => statesBefore.get(token))
  if (name.includes('norm')) return new Float32Array(length).fill(1)
  // What a layer adds is a product with these two: an adapter of the others would never learn from zeros alone.
  if (name.includes('o_proj') || name.includes('down_proj')) return new Float32Array(length)
  return Float32Array.from({ length }, (_, at) => Math.sin(at + 1) / 8)
}

const folder = process.argv[2]!
await writeByteTokenizer(folder, { chatTemplate, merges, specials })
writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
writeFileSync(join(folder, 'heddle.json'), JSON.stringify({ adapter: { rank: 4, alpha: 8 } }))
writeSafetensors(
  join(folder, 'model.safetensors'),
  expectedTensors(parseModelConfig(config, 'config.json')).map(({ name, shape }) => ({
    name,
    shape,
    read: () =>
      weightsOf(
        name,
        shape.reduce((product, size) => product * size, 1),
      ),
  })),
)
