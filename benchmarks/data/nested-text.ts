import { passage, type TextSource } from './payload-text.ts'

/** What messages hold: one passage each, or what agents send: prose, code and Markdown in JSON in JSON, with escapes. */
export type Content = 'plain' | 'nested'

export const contents: readonly Content[] = ['plain', 'nested']

export function textOf(content: Content | undefined, source: TextSource, length: number): string {
  return content === 'nested' ? nestedText(source, length) : passage(source, length)
}

/** JSON as Python's client writes it: in ASCII, so that other letters are escapes. */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A Markdown document of about `length` characters: prose with typographic marks, code, and a JSON document that holds prose as JSON text again. */
export function nestedText(source: TextSource, length: number, word = ''): string {
  const part = length / 3
  const found = asciiJson({ source: 'search', text: withMarks(passage(source, part)), words: [word], next: null })
  return [
    `# Notes\n\n${withMarks(passage(source, part))}`,
    `\`\`\`ts\n${passage(source, part)}\n\`\`\``,
    `- **caf\u00e9** \u2014 \u201c${word}\u201d`,
    asciiJson({ tool: 'search', ok: true, result: found }),
  ].join('\n\n')
}

const marks: Record<string, string> = { "'": '\u2019', ' - ': ' \u2014 ', '...': '\u2026' }

function withMarks(text: string): string {
  return text.replaceAll(/'| - |\.{3}/g, (mark) => marks[mark] ?? mark)
}
