/** Fields of a message for its reasoning: each service has one of them, and ours both. */
const fields = ['reasoning_content', 'reasoning'] as const

/** The reasoning in the separate fields of a message, trimmed as templates do. */
export function reasoningsOf(message: Readonly<Record<string, unknown>>): string[] {
  return fields.flatMap((field) => {
    const value = message[field]
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []
  })
}
