import { panelWidth, type Parameter } from './parameters.ts'

/** Writes a tensor in the layout of files into the panels of its parameter; both are given in its format. */
export function fillPanels<T extends Float32Array | Uint16Array>(parameter: Parameter, tensor: T, panels: T): void {
  if (parameter.columns === 0) return panels.set(tensor)
  const [out = 0, into = 0] = parameter.shape
  for (let column = 0; column < out; column++) {
    const target = panelStart(parameter, column)
    const source = column * into
    for (let row = 0; row < into; row++) panels[target + row * panelWidth] = tensor[source + row]!
  }
}

/** The tensor of a parameter in the layout of files. */
export function readPanels(parameter: Parameter, panels: Float32Array): Float32Array {
  if (parameter.columns === 0) return panels.slice()
  const [out = 0, into = 0] = parameter.shape
  const tensor = new Float32Array(out * into)
  for (let column = 0; column < out; column++) {
    const source = panelStart(parameter, column)
    const target = column * into
    for (let row = 0; row < into; row++) tensor[target + row] = panels[source + row * panelWidth]!
  }
  return tensor
}

function panelStart({ inner }: Parameter, column: number): number {
  return Math.floor(column / panelWidth) * inner * panelWidth + (column % panelWidth)
}
