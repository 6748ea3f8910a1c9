import { badRequest } from '@heddle/core-api/internal'
import { parsePath } from './parse-path.ts'

/** Location of a row's value. `outputs` is the output of the model, `output` that of the predict-and-score call. */
export type ResultField = { root: 'scores' | 'inputs' | 'outputs' | 'output'; segments: readonly string[] } | { root: 'row_digest' }

const roots = ['inputs', 'outputs', 'output'] as const
const supported = 'scores.*, inputs.*, outputs.*, output.*, row_digest'

/**
 * Reads the path of a field of results.
 * @throws 400 for a field that results do not have, naming `use`; 422 for a negative list index.
 */
export function parseResultField(path: string, use: 'sort' | 'eval results'): ResultField {
  if (path === 'row_digest') return { root: 'row_digest' }
  const [root, ...segments] = parsePath(path)
  if (root === 'scores' && segments.length > 0) return { root, segments }
  const known = roots.find((name) => name === root)
  if (known === undefined) throw badRequest(`Unsupported ${use} field: '${path.slice(0, 200)}'. Supported: ${supported}.`)
  return { root: known, segments }
}

/** Names a field, so that equal ones are read once. */
export function nameOfField(field: ResultField): string {
  return field.root === 'row_digest' ? field.root : JSON.stringify([field.root, ...field.segments])
}
