import { isJsonNumber } from '@heddle/json/exact'

/** Question and expected output of a row of a dataset. */
export interface RowParts {
  input: unknown
  /** Undefined if no column has it. */
  expected: unknown
}

/** Columns that usually hold them. */
const inputs = ['question', 'input', 'prompt', 'query', 'user_input', 'text', 'message', 'messages']
const answers = ['expected', 'expected_output', 'answer', 'target', 'reference', 'label', 'ground_truth', 'output']

/** The columns of a row that look like its question and its answer. Without both kinds of names the whole row is the input. */
export function partsOfRow(row: unknown): RowParts {
  if (typeof row !== 'object' || row === null || Array.isArray(row) || isJsonNumber(row)) return { input: row, expected: undefined }
  const members = row as Record<string, unknown>
  const input = inputs.find((name) => hasValue(members[name]))
  const expected = answers.find((name) => hasValue(members[name]))
  return {
    input: input === undefined ? row : members[input],
    expected: expected === undefined || input === undefined ? undefined : members[expected],
  }
}

const hasValue = (value: unknown) => value !== undefined && value !== null && value !== ''
