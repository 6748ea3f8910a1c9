import { isOneOf } from '@heddle/trace-model/query'
import { type ResultsSource, resultsOptions } from './results-source.ts'

/** A row with what the models made of it. */
export interface Example {
  row_digest: string
  /** The row of the dataset; null where it is gone. */
  inputs: unknown
  /** Output of the first trial in each run, in the order of the runs; null without one. */
  outputs: unknown[]
}

/** Reads rows by their digests, in this order. Those that are gone meanwhile have null for inputs and outputs. */
export async function readExamples(source: ResultsSource, runs: readonly string[], digests: readonly string[]): Promise<Example[]> {
  if (digests.length === 0) return []
  const { exactClient, project } = source
  const { rows } = await exactClient.evalResults.query(
    {
      entity: project.entity,
      project: project.name,
      evaluation_call_ids: [...runs],
      include_raw_data_rows: true,
      resolve_row_refs: true,
      include_predict_and_score_children: false,
      filters: [{ query: { $expr: isOneOf('row_digest', digests) } }],
    },
    resultsOptions(source),
  )
  return digests.map((row_digest) => {
    const row = rows.find((one) => one.row_digest === row_digest)
    const outputs = runs.map((id) => row?.evaluations.find((one) => one.evaluation_call_id === id)?.trials[0]?.model_output ?? null)
    return { row_digest, inputs: row?.raw_data_row ?? null, outputs }
  })
}
