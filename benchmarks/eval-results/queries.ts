import { type EvaluationsPlan, rootId } from './fill-evaluations.ts'

export interface EvalQuery {
  name: string
  body: object
}

const page = { limit: 50 }
const nested = 'scores.scorer-0.quality.value'
const converted = (path: string) => ({ $convert: { input: { $getField: path }, to: 'double' } })
const filters = [{ query: { $expr: { $gt: [converted(nested), { $literal: 0.9 }] } } }]

/** What is asked of all evaluations together. */
export function evalQueries({ evaluations, rows }: Pick<EvaluationsPlan, 'evaluations' | 'rows'>): EvalQuery[] {
  const ids = { evaluation_call_ids: Array.from({ length: evaluations }, (_, evaluation) => rootId(evaluation)) }
  return [
    { name: 'first page', body: { ...ids, ...page } },
    { name: 'page in the middle', body: { ...ids, ...page, offset: Math.floor(rows / 2) } },
    { name: 'first page with summary', body: { ...ids, ...page, include_summary: true } },
    { name: 'summary alone', body: { ...ids, include_rows: false, include_summary: true } },
    {
      name: 'summary without calls below',
      body: { ...ids, include_rows: false, include_summary: true, include_predict_and_score_children: false },
    },
    { name: 'sorted by a nested score', body: { ...ids, ...page, sort_by: [{ field: nested, direction: 'desc' }] } },
    { name: 'sorted by a difference', body: { ...ids, ...page, sort_by: [{ field: nested, direction: 'desc', mode: 'difference' }] } },
    { name: 'filtered, with summary', body: { ...ids, ...page, filters, include_summary: true } },
    { name: 'intersected, with summary', body: { ...ids, ...page, require_intersection: true, include_summary: true } },
  ]
}
