import { type Block, blocksOfRange } from '../blocks.ts'
import { panelWidth, type Parameter } from './parameters.ts'

/** Writes a tensor in the layout of files, or its rows from `first` on, into the panels of its parameter; both are given in its format. */
export function fillPanels<T extends Float32Array | Uint16Array>(parameter: Parameter, rows: T, panels: T, first = 0): void {
  if (parameter.columns === 0) return panels.set(rows, first)
  const [, into = 0] = parameter.shape
  for (let source = 0, column = first; source < rows.length; source += into, column++) {
    const target = panelStart(parameter, column)
    for (let row = 0; row < into; row++) panels[target + row * panelWidth] = rows[source + row]!
  }
}

/** The tensor of a parameter in the layout of files, or some of its rows. */
export function readPanels(parameter: Parameter, panels: Float32Array, { first, count } = allRows(parameter)): Float32Array {
  if (parameter.columns === 0) return panels.slice(first, first + count)
  const [, into = 0] = parameter.shape
  const rows = new Float32Array(count * into)
  for (let target = 0, column = first; target < rows.length; target += into, column++) {
    const source = panelStart(parameter, column)
    for (let row = 0; row < into; row++) rows[target + row] = panels[source + row * panelWidth]!
  }
  return rows
}

/** Numbers of a block of rows: to read them and to write them into panels takes one thread some 15 ms. */
const blockNumbers = 2 ** 20

/** Splits the rows that files have of a parameter; those of a vector are its numbers. */
export function blocksOfRows({ shape }: Parameter): Block[] {
  const [rows = 0, ...others] = shape
  const numbers = others.reduce((product, size) => product * size, 1)
  return blocksOfRange(rows, Math.max(1, Math.floor(blockNumbers / numbers)))
}

const allRows = ({ shape }: Parameter): Block => ({ first: 0, count: shape[0] ?? 0 })

function panelStart({ inner }: Parameter, column: number): number {
  return Math.floor(column / panelWidth) * inner * panelWidth + (column % panelWidth)
}
