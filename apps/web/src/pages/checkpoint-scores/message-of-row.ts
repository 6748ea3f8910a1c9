/** Columns that usually hold what a model is asked. */
const usual = ['question', 'input', 'prompt', 'query', 'text']

/** What a model is sent for each row unless a person writes something else: the column that looks like a question, in braces. */
export function messageOfRow(columns: readonly string[]): string {
  if (columns.includes('user_input')) return ''
  const column = usual.find((name) => columns.includes(name)) ?? columns[0]
  return column === undefined ? '' : `{${column}}`
}
