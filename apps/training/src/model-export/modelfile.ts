import type { ModelTokenizer } from './model-tokenizer.ts'
import { toModelfileValue } from './modelfile-value.ts'

/** What Ollama needs to chat with a GGUF file: the file, its template and where an answer ends. */
export function toModelfile(ggufName: string, tokenizer: ModelTokenizer): string {
  const stops = tokenizer.special.stop.map((id) => instruction('PARAMETER stop', tokenizer.textOf(id)))
  return [`FROM ./${ggufName}`, ...stops, ...systemOf(tokenizer), ...templateOf(tokenizer), ''].join('\n')
}

/** Ollama writes prompts by a template in its own language. */
const chatml = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`

function templateOf(tokenizer: ModelTokenizer): string[] {
  if (writesChatml(tokenizer)) return [`TEMPLATE """${chatml}"""`]
  return ['# Ollama has its own template language: if it does not recognize the chat template of the file, add a TEMPLATE here.']
}

/** The text with which the template begins a conversation that has no instructions. */
function systemOf({ render }: ModelTokenizer): string[] {
  const begun = /^<\|im_start\|>system\n(?<text>[^]*?)<\|im_end\|>\n<\|im_start\|>user/.exec(
    tryRender(render, [{ role: 'user', content: 'hi' }]) ?? '',
  )
  return begun?.groups?.['text'] ? [instruction('SYSTEM', begun.groups['text'])] : []
}

function writesChatml({ render }: ModelTokenizer): boolean {
  const messages = [
    { role: 'system', content: 'first' },
    { role: 'user', content: 'second' },
    { role: 'assistant', content: 'third' },
    { role: 'user', content: 'fourth' },
  ] as const
  const expected = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`).join('')
  return tryRender(render, messages) === `${expected}<|im_start|>assistant\n`
}

type Messages = Parameters<ModelTokenizer['render']>[0]['messages']

/** Null for a conversation that the template refuses. */
function tryRender(render: ModelTokenizer['render'], messages: Messages): string | null {
  try {
    return render({ messages, addGenerationPrompt: true })
  } catch {
    return null
  }
}

/** A line that says a text to Ollama, or that it cannot. */
function instruction(name: string, text: string): string {
  const value = toModelfileValue(text)
  return value === null ? `# ${name} is left out, since quotes of this file cannot hold its text: ${asciiOf(text)}` : `${name} ${value}`
}

/** The text on one line, whatever is in it. */
const asciiOf = (text: string) =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
