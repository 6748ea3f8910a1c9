import type { EvalSummary } from '@heddle/core-api/types'
import type { AxisOffer, AxisRow, AxisValue } from '../../../features/parallel-coordinates/axis.ts'
import { differingAxes } from '../../../features/parallel-coordinates/differing-axes.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import type { ListedRun } from '../listed-run.ts'
import { commonAxes } from './common-axes.ts'
import { maxFields, modelFields } from './model-fields.ts'

/** Fields of a model by the reference to it. */
export type FieldsOfModels = ReadonlyMap<string, ReadonlyMap<string, AxisValue>>

export interface RunAxes {
  rows: AxisRow[]
  offers: AxisOffer[]
  /** Ids of the axes that are shown at first: parameters that differ, then measures. */
  usual: string[]
  /** Parameters beyond those that can be selected. */
  parametersLeftOut: number
}

const [usualParameters, usualMeasures, usualScores] = [4, 2, 3]
const plain = (value: number) => numberText(value, false)
const asRate = (value: number) => numberText(value, true)

/** Runs as lines over their parameters, measures and scores. */
export function toRunAxes(runs: readonly ListedRun[], summaries: ReadonlyMap<string, EvalSummary>, models: FieldsOfModels): RunAxes {
  const parameters = new Map<string, AxisOffer>()
  const scores = new Map<string, AxisOffer>()
  const rows = runs.map((run): AxisRow => {
    const [summary, values] = [summaries.get(run.id), new Map<string, AxisValue>()]
    for (const [path, value] of fieldsOf(run, models))
      addTo(parameters, values, { id: `model.${path}`, name: path, group: 'Parameters of the model', text: plain }, value)
    for (const { offer, of } of commonAxes) {
      const value = of(run, summary)
      if (value !== null && value !== undefined) values.set(offer.id, value)
    }
    for (const { scorer_key, path, pass_rate, numeric_mean } of summary?.scorer_stats ?? []) {
      const name = path === null ? scorer_key : `${scorer_key}.${path}`
      const value = pass_rate ?? numeric_mean
      if (value !== null)
        addTo(scores, values, { id: `score.${name}`, name, group: 'Scores', text: pass_rate === null ? plain : asRate }, value)
    }
    return { id: run.id, name: run.name, values }
  })
  const offered = [...parameters.values()].slice(0, maxFields)
  const isThere = ({ id }: AxisOffer) => rows.some(({ values }) => values.has(id))
  const others = commonAxes.map(({ offer }) => offer).filter(isThere)
  return {
    rows,
    offers: [...offered, ...others, ...scores.values()],
    usual: usualAxes(rows, offered, others, [...scores.values()]),
    parametersLeftOut: parameters.size - offered.length,
  }
}

const fieldsOf = ({ givenModel }: ListedRun, models: FieldsOfModels) =>
  typeof givenModel === 'string' ? (models.get(givenModel) ?? []) : modelFields(givenModel)

function addTo(offers: Map<string, AxisOffer>, values: Map<string, AxisValue>, offer: AxisOffer, value: AxisValue): void {
  if (!offers.has(offer.id)) offers.set(offer.id, offer)
  values.set(offer.id, value)
}

function usualAxes(
  rows: readonly AxisRow[],
  parameters: readonly AxisOffer[],
  others: readonly AxisOffer[],
  scores: readonly AxisOffer[],
): string[] {
  const differing = differingAxes(rows, parameters)
  const isMeasured = ({ group }: AxisOffer) => group === 'Measured'
  const first = differing.length > 0 ? differing.slice(0, usualParameters) : others.filter(({ id }) => id === 'model')
  return [...first, ...others.filter(isMeasured).slice(0, usualMeasures), ...scores.slice(0, usualScores)].map(({ id }) => id)
}
