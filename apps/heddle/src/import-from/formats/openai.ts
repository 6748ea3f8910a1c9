import { isJsonObject } from '@heddle/core-api/internal'
import { fileNameOf, present } from '../foreign-fields.ts'
import type { ForeignFormat, JsonObject } from '../foreign-item.ts'

/**
 * Files of OpenAI: lines of fine-tuning (messages, preferences, reinforcement) and of evaluations (`item`, `sample`), and output items of an evaluation
 * run. Each line is a row of the dataset that has the name of its file.
 */
export function createOpenaiFormat(): ForeignFormat {
  return {
    survey: () => undefined,
    *read(record, place) {
      const row = toRow(record)
      if (row !== undefined) return yield { kind: 'row', dataset: fileNameOf(place), row }
      yield { kind: 'skipped', what: 'records', reason: 'neither a line of fine-tuning nor of an evaluation' }
    },
  }
}

function toRow(record: JsonObject): JsonObject | undefined {
  if (record['object'] === 'eval.run.output_item' && isJsonObject(record['datasource_item'])) {
    const { datasource_item, sample, results, status, id, run_id } = record
    return present({ ...datasource_item, sample, results, status, output_item_id: id, run_id })
  }
  if (isJsonObject(record['item'])) return present({ ...record['item'], sample: record['sample'] })
  const isLine = Array.isArray(record['messages']) || 'preferred_output' in record || ('prompt' in record && 'completion' in record)
  return isLine ? record : undefined
}
