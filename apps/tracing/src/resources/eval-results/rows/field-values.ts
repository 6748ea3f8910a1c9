import type { ProjectScope } from '@heddle/identity'
import type { EvalResultsStore } from '../eval-results-store.ts'
import type { Computed } from '../results-cache.ts'
import { nameOfField, type ResultField } from '../../../query/fields/result-field.ts'
import type { EvaluationTrials } from './evaluation-trials.ts'
import { type FieldValue, toFieldValue } from './field-value.ts'
import { type ResultRow, trialsOf } from './group-rows.ts'
import { placeOfTrial } from './trial-places.ts'

/** Values of one field. */
export interface FieldValues {
  /** In a trial. */
  at(evaluation: number, trial: number): FieldValue
  /** The first in the trials of a row, of one evaluation where `scope` names it. */
  firstIn(row: ResultRow, scope: number | null): FieldValue
}

type InTrials = FieldValue[][]
type StoredField = Exclude<ResultField, { root: 'row_digest' }>

interface FieldsIn {
  store: Pick<EvalResultsStore, 'values' | 'rowValues'>
  project: ProjectScope
  evaluations: readonly EvaluationTrials[]
  /** Keeps what was read of a field. */
  keep(field: string, read: () => Promise<Computed<InTrials>>): Promise<InTrials>
}

/** Reads the values of fields, by their names. Values inside rows of datasets are read from the rows. */
export async function readFields(deps: FieldsIn, fields: readonly ResultField[]): Promise<Map<string, FieldValues>> {
  const distinct = new Map(fields.map((field) => [nameOfField(field), field]))
  const values = new Map<string, FieldValues>()
  for (const [name, field] of distinct) values.set(name, await readField(deps, field))
  return values
}

/** The values of one field in all trials, with the bytes of memory that they take. */
async function readValues(deps: FieldsIn, field: StoredField): Promise<Computed<InTrials>> {
  const value = await readStored(deps, field)
  const isWhole = field.root !== 'inputs' || (await readDatasetRows(deps, field.segments, value))
  // A row that is not stored yet may come without any call.
  if (!isWhole) return { value, bytes: null }
  let bytes = 0
  for (const values of value) for (const one of values) bytes += 8 + (typeof one === 'string' ? 16 + one.length : 0)
  return { value, bytes }
}

async function readField(deps: FieldsIn, field: ResultField): Promise<FieldValues> {
  const { evaluations } = deps
  if (field.root === 'row_digest') {
    const at = (evaluation: number, trial: number) => evaluations[evaluation]?.trials[trial]?.row_digest
    // A row has its digest in every evaluation, also in one that lacks the row.
    return { at, firstIn: (row) => row.row_digest }
  }
  const found = await deps.keep(nameOfField(field), () => readValues(deps, field))
  const at = (evaluation: number, trial: number) => found[evaluation]?.[trial]
  return {
    at,
    firstIn(row, scope) {
      for (const { evaluation, trial } of trialsOf(row, scope)) {
        const value = at(evaluation, trial)
        if (value !== undefined) return value
      }
      return undefined
    },
  }
}

async function readStored({ store, project, evaluations }: FieldsIn, field: StoredField): Promise<InTrials> {
  const found: InTrials = evaluations.map(({ trials }) => Array.from<FieldValue>({ length: trials.length }))
  const ids = evaluations.map(({ evaluation_call_id }) => evaluation_call_id)
  for await (const block of store.values(project, ids, field)) {
    for (const { id, json } of block) {
      const place = placeOfTrial(evaluations, id)
      if (place !== undefined) found[place.evaluation]![place.trial] = toFieldValue(json, field.root)
    }
  }
  return found
}

/** Puts values inside rows of datasets in place of what the references themselves read. False when some of the rows are not stored. */
async function readDatasetRows({ store, project, evaluations }: FieldsIn, segments: readonly string[], found: InTrials): Promise<boolean> {
  const digests = new Set<string>()
  for (const { trials } of evaluations) for (const { example, row_digest } of trials) if (example === 'reference') digests.add(row_digest)
  const values = await store.rowValues(project, [...digests], segments)
  evaluations.forEach(({ trials }, index) => {
    trials.forEach(({ example, row_digest }, place) => {
      const json = values.get(row_digest)
      if (example === 'reference' && json !== undefined) found[index]![place] = toFieldValue(json, 'inputs')
    })
  })
  return values.size === digests.size
}
