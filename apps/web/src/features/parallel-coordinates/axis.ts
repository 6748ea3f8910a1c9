/** A value on an axis: a finite number, or a text. A boolean is the text `true` or `false`. */
export type AxisValue = number | string

/** The subject of a line, for example a run. */
export interface AxisRow {
  id: string
  name: string
  /** By the id of the axis; one that the row has no value of is missing. */
  values: ReadonlyMap<string, AxisValue>
}

/** An axis that can be shown. */
export interface AxisOffer {
  id: string
  name: string
  /** Heading under which it is offered. */
  group: string
  /** How its numbers are written. */
  text: (value: number) => string
}

/** How the values of an axis are placed on it. */
export interface AxisScale {
  /** `text` also where numbers and texts are mixed. */
  kind: 'linear' | 'logarithmic' | 'text'
  /** The different values, the lowest first. Texts are in the order of a dictionary in which 2 is before 10. */
  stops: readonly AxisValue[]
}

/** The ends of the values that are kept, both included. An absent end keeps all on its side. */
export interface RangeEnds {
  from?: AxisValue | undefined
  to?: AxisValue | undefined
}

/** A range of an axis, by its id. */
export interface AxisRange extends RangeEnds {
  axis: string
}

/** An axis that is shown. */
export interface DrawnAxis extends AxisOffer {
  scale: AxisScale
  /** Undefined: every row is kept. */
  range: AxisRange | undefined
}

/** A value as text. */
export const valueText = ({ text }: Pick<AxisOffer, 'text'>, value: AxisValue) => (typeof value === 'number' ? text(value) : value)
