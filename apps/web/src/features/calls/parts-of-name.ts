import type { Kind } from '../../ui/badge.tsx'

/** A name in parts which together are the name. Hidden ones repeat what the icon of the kind says, or where a model is. */
export interface NamePart {
  text: string
  as: 'name' | 'model' | 'hidden'
}

const operations: Partial<Record<Kind, RegExp>> = {
  llm: /^((?:chat|text_completion|generate_content|embeddings) )(\S*\/)?(\S+)$/,
  tool: /^(execute_tool )()(\S.*)$/,
  agent: /^((?:invoke|create)_agent )()(\S.*)$/,
}

/** Splits the name of a span that the semantic conventions of OpenTelemetry name by its operation and its model, tool or agent. */
export function partsOfName(name: string, kind: Kind): NamePart[] {
  const [, operation, path = '', subject] = operations[kind]?.exec(name) ?? []
  if (operation === undefined || subject === undefined) return [{ text: name, as: 'name' }]
  const parts: NamePart[] = [
    { text: operation, as: kind === 'llm' ? 'name' : 'hidden' },
    { text: path, as: 'hidden' },
    { text: subject, as: kind === 'llm' ? 'model' : 'name' },
  ]
  return parts.filter(({ text }) => text !== '')
}
