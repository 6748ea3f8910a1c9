/** Columns that usually hold the question to a model. */
const usual = ['question', 'input', 'prompt', 'query', 'text']

/** Default message to the model for each row: the column that looks like a question, in braces. */
export function messageOfRow(columns: readonly string[]): string {
  if (columns.includes('user_input')) return ''
  const column = usual.find((name) => columns.includes(name)) ?? columns[0]
  return column === undefined ? '' : `{${column}}`
}
