const roles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['ai', 'assistant'],
  ['aimessagechunk', 'assistant'],
  ['model', 'assistant'],
  ['chatbot', 'assistant'],
  ['bot', 'assistant'],
  ['developer', 'system'],
  ['function', 'tool'],
  ['tool_result', 'tool'],
  ['tool-call', 'assistant'],
  ['tool-response', 'tool'],
])

/**
 * The common name of a recorded role. Names of enumerations (`MessageRole.USER`) and of span events (`gen_ai.user.message`) lose what surrounds the role.
 * Undefined for anything that names no role.
 */
export function toRole(recorded: unknown): string | undefined {
  if (typeof recorded !== 'string' || recorded.length > 64) return undefined
  const word = (/^gen_ai\.(\w+)\.message$/.exec(recorded)?.[1] ?? recorded.slice(recorded.lastIndexOf('.') + 1)).toLowerCase()
  return word === '' ? undefined : (roles.get(word) ?? word)
}
