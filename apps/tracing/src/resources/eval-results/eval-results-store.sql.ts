import { bind, type Micros, type ScopedAnalytical, sql, join, type Sql } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { seen } from '../../query/calls-query.ts'
import { payloadJson } from '../../query/fields/payload-text.ts'
import type {
  EvalResultsStore,
  StoredChild,
  StoredExample,
  StoredFamily,
  StoredRoot,
  StoredScores,
  StoredValue,
} from './eval-results-store.ts'
import { resultJson } from '../../query/fields/read-result.ts'

/** Digests that one statement looks up. */
const digestsAtOnce = 10_000

/** A row as the engine answers it. */
type Answered<T, Flags extends keyof T> = Omit<T, Flags> & Record<Flags, number>

export function sqlEvalResultsStore(analytical: ScopedAnalytical, clock: () => Micros): EvalResultsStore {
  const live = (project: ProjectScope) => join(seen({ project_id: project.id, now: clock() }), sql` AND `)
  /** Live calls below others. Which calls these are is looked up first among all versions, by the index of parents. */
  const below = (project: ProjectScope, parents: readonly string[]) => {
    const parent = sql`parent_id IN ${bind('Array(String)', possible(parents))}`
    const keys = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND ${parent}`
    return sql`FROM heddle.calls FINAL WHERE ${live(project)} AND (started_at, id) IN (${keys}) AND ${parent}`
  }
  const predictAndScores = (project: ProjectScope, evaluations: readonly string[]) =>
    sql`FROM heddle.calls FINAL WHERE ${live(project)} AND parent_id IN ${bind('Array(String)', possible(evaluations))}
      AND (endsWith(op_short_name, '.predict_and_score') OR endsWith(op_short_name, '.predictAndScore'))`

  return {
    examples(project, evaluations) {
      // The engine writes numbers in a form of its own, and digests are taken over the numbers as they were sent.
      const isText = sql`(JSONType(inputs, 'example') = 'String' AND position(inputs, ${bind('String', '\\u')}) = 0)`
      return analytical.of(project).blocks<StoredExample>(
        sql`SELECT id, parent_id AS evaluation_call_id, ${startedMicros}, toString(version) AS version, toFloat64(storage_size_bytes) AS bytes,
          if(${isText}, JSONExtractString(inputs, 'example'), NULL) AS text, if(${isText}, '', inputs) AS all_inputs,
          toFloat64(toUnixTimestamp64Micro(expire_at)) AS expire_micros ${predictAndScores(project, evaluations)}`,
      )
    },

    scores(project, evaluations) {
      return analytical.of(project).blocks<StoredScores>(
        sql`SELECT id, ${payloadJson(sql`output`, ['scores'])} AS scores, ${payloadJson(sql`inputs`, ['model'])} AS model,
          ${payloadJson(sql`attributes`, ['weave', 'predict_call_id'])} AS predict_call_id,
          ${payloadJson(sql`summary`, ['usage'])} AS token_counts ${predictAndScores(project, evaluations)}`,
      )
    },

    families(project, evaluations) {
      const parents = sql`SELECT id ${predictAndScores(project, evaluations)}`
      return analytical.of(project).blocks<StoredFamily>(
        sql`SELECT parent_id, signature, token_counts FROM (SELECT parent_id, arraySort(groupArray((started_at, id, kind, counts))) AS calls, hex(sipHash128(arrayMap(c -> c.3, calls))) AS signature,
          arrayMap(c -> c.4, calls) AS token_counts
          FROM (SELECT parent_id, started_at, id, ${kind} AS kind, ${payloadJson(sql`summary`, ['usage'])} AS counts
            FROM heddle.calls FINAL WHERE ${live(project)} AND parent_id IN (${parents})) GROUP BY parent_id)`,
      )
    },

    values(project, evaluations, field) {
      return analytical
        .of(project)
        .blocks<StoredValue>(
          sql`SELECT id, json FROM (SELECT id, ${resultJson(field)} AS json ${predictAndScores(project, evaluations)}) WHERE json NOT IN ('', 'null')`,
        )
    },

    async rowValues(project, digests, segments) {
      const found = new Map<string, string>()
      const asked = possible(digests)
      const value = segments.length === 0 ? sql`val` : payloadJson(sql`val`, segments)
      for (let at = 0; at < asked.length; at += digestsAtOnce) {
        const some = bind('Array(String)', asked.slice(at, at + digestsAtOnce))
        const rows = analytical
          .of(project)
          .blocks<{ digest: string; json: string }>(
            sql`SELECT digest, ${value} AS json FROM heddle.table_rows WHERE project_id = ${bind('String', project.id)} AND digest IN ${some}`,
          )
        for await (const block of rows) for (const { digest, json } of block) found.set(digest, json)
      }
      return found
    },

    async children(project, parents) {
      if (parents.length === 0) return []
      const mayBeScorer = sql`(position(attributes, 'score') > 0 OR positionCaseInsensitive(op_short_name, 'score') > 0)`
      const rows = analytical.of(project).blocks<Answered<StoredChild, 'failed'>>(
        sql`SELECT id, parent_id, op_name, op_short_name, ${startedMicros}, toFloat64(toUnixTimestamp64Micro(ended_at)) AS ended_micros,
          isNotNull(exception) AS failed, ${payloadJson(sql`inputs`, ['self'])} AS self, ${payloadJson(sql`attributes`, ['weave'])} AS weave,
          ${payloadJson(sql`attributes`, ['_weave_eval_meta', 'score'])} AS score_mark, ${payloadJson(sql`summary`, ['usage'])} AS usage,
          ${payloadJson(sql`summary`, ['weave', 'genai_span_ref'])} AS spans, if(${mayBeScorer}, output, '') AS output ${below(project, parents)} ORDER BY started_at, id`,
      )
      const children: StoredChild[] = []
      for await (const block of rows) for (const row of block) children.push({ ...row, failed: row.failed === 1 })
      return children
    },

    async roots(project, ids) {
      const asked = possible(ids)
      if (asked.length === 0) return []
      const named = (key: string) => payloadJson(sql`inputs`, [key])
      const id = sql`id IN ${bind('Array(String)', asked)}`
      const keys = sql`SELECT started_at, id FROM heddle.calls WHERE project_id = ${bind('String', project.id)} AND ${id}`
      const rows = await analytical.of(project).rows<Omit<StoredRoot, 'started_at'> & { started_micros: number }>(
        sql`SELECT id, trace_id, display_name, ${startedMicros}, ${named('self')} AS self, ${named('this')} AS this, ${named('model')} AS model
          FROM heddle.calls FINAL WHERE ${live(project)} AND (started_at, id) IN (${keys})`,
      )
      return rows.map(({ started_micros, ...root }) => ({ ...root, started_at: started_micros }))
    },
  }
}

const startedMicros: Sql = sql`toFloat64(toUnixTimestamp64Micro(started_at)) AS started_micros`

/** A hash of all that the rules look at in a call below, but ids, times, tokens and what it returned. */
const kind: Sql = sql`sipHash128(op_name, ${payloadJson(sql`inputs`, ['self'])}, ${payloadJson(sql`attributes`, ['weave', 'score'])},
  ${payloadJson(sql`attributes`, ['weave', 'scorer'])}, ${payloadJson(sql`attributes`, ['_weave_eval_meta', 'score'])},
  isNull(exception), isNull(ended_at), output = 'null')`

/** Texts that the store can hold: one with NUL in it is refused, together with all that go with it. */
function possible(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => !text.includes('\0'))
}
