import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { nameOfField, type ResultField } from '../fields/result-field.ts'
import { resultJson } from '../fields/read/read-result.ts'
import { payloadJson } from '../fields/payload-text.ts'
import { placeOf, startedMicros, trialsFrom, type TrialsIn } from './trials-in.ts'

/** A field that trials have. The digest of a row is the row's own. */
export type TrialField = Exclude<ResultField, { root: 'row_digest' }>
/** Index of the evaluation whose trials count; null for all, -1 for one that was not requested. */
export type Scope = number | null

/** How booleans among the scores read: as `1` and `0`, or as words. */
type Form = 'number' | 'word'

/** Reads fields of rows. Each distinct one is taken from the payloads once, and named by the statement. */
export interface ResultFields {
  /** The first text in the trials of a row that is not empty; else the empty text. */
  first(field: TrialField, scope: Scope, form?: Form): Sql
  /** The mean over the trials that have a number; NULL where none has. */
  mean(field: TrialField, scope: Scope): Sql
  /** The highest mean of an evaluation minus the lowest; NULL where an evaluation has none. */
  spread(field: TrialField): Sql
  /** `row_digest`, `evaluations` (how many have the row), `starts` and `bytes` (of its trials), and the columns requested before. */
  rows(): Sql
}

const maxFields = 100
/** Decimal notation, as in JSON and as typed; the engine would accept more as a number. */
const decimal = String.raw`^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$`
const rowRef = String.raw`^(?s:.+?)/attr/rows/id/[^/]+$`

const named = (name: string, at: number): Sql => sql`${bind('Identifier', `${name}_${at}`)}`

export function createResultFields(trials: TrialsIn): ResultFields {
  const fields = new Map<string, TrialField>()
  /** Texts of each trial, in their order. */
  const texts: Sql[] = []
  const textPlaces = new Map<string, number>()
  /** Values over all trials of a row, and first texts. Each has a name, so that conditions can mention it as often as they like. */
  const means = new Map<string, Sql>()
  const firsts = new Map<string, Sql>()

  function fieldAt(field: TrialField): number {
    const name = nameOfField(field)
    fields.set(name, field)
    if (fields.size > maxFields) throw badRequest(`The query reads more than ${maxFields} fields: ask for fewer`)
    return [...fields.keys()].indexOf(name)
  }

  /** From 1. */
  function textPlace(field: TrialField, form: Form): number {
    const name = `${form} ${nameOfField(field)}`
    const known = textPlaces.get(name)
    if (known !== undefined) return known
    const place = texts.push(form === 'number' && field.root === 'scores' ? numberForm(field) : textOf(field))
    textPlaces.set(name, place)
    return place
  }

  const json = (field: TrialField) => named('json', fieldAt(field))
  const textOf = (field: TrialField) => {
    const value = json(field)
    return sql`multiIf(${value} IN ('', 'null'), '', startsWith(${value}, '"'), JSONExtractString(${value}), ${value})`
  }
  const numberForm = (field: TrialField) => {
    const value = json(field)
    return sql`multiIf(${value} = 'true', '1', ${value} = 'false', '0', ${textOf(field)})`
  }
  const textAt = (index: number) => sql`texts[${bind('UInt64', index)}]`

  function keep(kept: Map<string, Sql>, prefix: string, expression: () => Sql, name: string): Sql {
    if (!kept.has(name)) kept.set(name, expression())
    return named(prefix, [...kept.keys()].indexOf(name))
  }

  return {
    first(field, scope, form = 'number') {
      const place = textPlace(field, form)
      const isWanted = scope === null ? sql`1` : sql`t.1 = ${bind('Int64', scope)}`
      const text = sql`t.4[${bind('UInt64', place)}]`
      return keep(
        firsts,
        'first',
        () => sql`arrayFirst(x -> x != '', arrayMap(t -> if(${isWanted}, ${text}, ''), trials))`,
        `${place} ${scope}`,
      )
    },
    mean(field, scope) {
      const place = textPlace(field, 'number')
      const number = numberIn(textAt(place))
      const numbers = scope === null ? sql`groupArray(${number})` : sql`groupArrayIf(${number}, place = ${bind('Int64', scope)})`
      // Summed in one order, so that rows with equal numbers have equal means in every query, and keep their order from page to page.
      const mean = () => sql`arrayMap(n -> if(empty(n), NULL, arrayAvg(n)), [arraySort(${numbers})])[1]`
      return keep(means, 'mean', mean, `${place} ${scope}`)
    },
    spread(field) {
      const place = textPlace(field, 'number')
      const number = numberIn(textAt(place))
      const numbers = sql`groupArrayIf((place, assumeNotNull(${number})), isNotNull(${number}))`
      const ofPlaces = sql`arrayMap(p -> arrayAvg(arraySort(arrayMap(n -> n.2, arrayFilter(n -> n.1 = p, known)))), arrayDistinct(arrayMap(n -> n.1, known)))`
      const ofEvaluations = sql`arrayMap(known -> ${ofPlaces}, [${numbers}])[1]`
      const isWhole = sql`length(m) = ${bind('UInt64', trials.evaluations.length)}`
      return keep(
        means,
        'mean',
        () => sql`arrayMap(m -> if(${isWhole}, arrayMax(m) - arrayMin(m), NULL), [${ofEvaluations}])[1]`,
        `spread ${place}`,
      )
    },
    rows() {
      const own = sql`trial_row, ${placeOf(trials)} AS place, ${startedMicros} AS started_micros, storage_size_bytes AS size${firsts.size === 0 ? sql`` : sql`, id`}`
      if (fields.size === 0)
        return sql`SELECT trial_row AS row_digest, uniqExact(place) AS evaluations, ${starts} FROM (SELECT ${own} ${trialsFrom(trials)}) GROUP BY trial_row`
      const values = [...fields.values()].map((field, at) => sql`${jsonOf(field)} AS ${named('json', at)}`)
      const ordered = firsts.size === 0 ? sql`` : sql`, arraySort(groupArray((place, started_micros, id, texts))) AS trials`
      const withJson = withDatasetRows({ trials, own, isOrdered: firsts.size > 0, values, fields: [...fields.values()] })
      const withTexts = sql`SELECT * EXCEPT (trial_row), trial_row AS row_digest, [${join(texts, sql`, `)}] AS texts FROM (${withJson})`
      const aggregates = [...means.values()].map((mean, at) => sql`, ${mean} AS ${named('mean', at)}`)
      const grouped = sql`SELECT row_digest, uniqExact(place) AS evaluations, ${starts}${ordered}${join(aggregates, sql``)} FROM (${withTexts}) GROUP BY row_digest`
      const firstTexts = [...firsts.values()].map((first, at) => sql`, ${first} AS ${named('first', at)}`)
      return sql`SELECT *${join(firstTexts, sql``)} FROM (${grouped})`
    },
  }
}

/** The number in a text; NULL where it is none. */
export function numberIn(text: Sql): Sql {
  return sql`if(match(${text}, ${bind('String', decimal)}), toFloat64OrNull(${text}), NULL)`
}

const starts: Sql = sql`groupArray(started_micros) AS starts, toFloat64(sum(size)) AS bytes`

const jsonOf = (field: TrialField): Sql => resultJson(field)

interface DatasetRows {
  trials: TrialsIn
  own: Sql
  /** `own` includes the id. */
  isOrdered: boolean
  values: readonly Sql[]
  fields: readonly TrialField[]
}

/** Trials with the JSON texts of their fields. Those inside rows of datasets are read from the rows, where these are stored. */
function withDatasetRows({ trials, own, isOrdered, values, fields }: DatasetRows): Sql {
  const direct = sql`SELECT ${own}, ${join(values, sql`, `)}`
  const inRows = fields.flatMap((field, at) => (field.root === 'inputs' ? [{ at, segments: field.segments }] : []))
  if (inRows.length === 0) return sql`${direct} ${trialsFrom(trials)}`
  const example = payloadJson(sql`inputs`, ['example'])
  const isRef = sql`arrayMap(e -> startsWith(e, '"') AND match(JSONExtractString(e), ${bind('String', rowRef)}), [${example}])[1]`
  const stored = inRows.map(
    ({ at, segments }) => sql`${segments.length === 0 ? sql`val` : payloadJson(sql`val`, segments)} AS ${named('stored', at)}`,
  )
  const digests = sql`SELECT trial_row ${trialsFrom(trials)} AND ${isRef}`
  const rows = sql`SELECT digest AS stored_digest, ${join(stored, sql`, `)} FROM heddle.table_rows
    WHERE project_id = ${bind('String', trials.project_id)} AND digest IN (${digests})`
  const known = fields.map((field, at) => {
    const value = named('json', at)
    return field.root === 'inputs'
      ? sql`if(is_ref AND stored_digest != '', ${named('stored', at)}, ${named('own', at)}) AS ${value}`
      : value
  })
  const ofTrials = fields.map((field, at) => sql`${jsonOf(field)} AS ${field.root === 'inputs' ? named('own', at) : named('json', at)}`)
  return sql`SELECT trial_row, place, started_micros, size${isOrdered ? sql`, id` : sql``}, ${join(known, sql`, `)} FROM
    (SELECT ${own}, ${isRef} AS is_ref, ${join(ofTrials, sql`, `)} ${trialsFrom(trials)}) AS trial
    LEFT ANY JOIN (${rows}) AS dataset_row ON stored_digest = trial_row`
}
