import { type GraphLayout, nodeSize, type PlacedNode } from './layout-graph.ts'

export interface GraphColors {
  sheet: string
  line: string
  text: string
  quiet: string
  failed: string
}

interface Options {
  colors: GraphColors
  nameOf: (node: PlacedNode) => string
  factsOf: (node: PlacedNode) => string
}

const longestName = 19

/** The drawing as a standalone file, without links, scripts or parts of other files. */
export function svgOfGraph({ nodes, edges, width, height }: GraphLayout, { colors, nameOf, factsOf }: Options): string {
  const box = nodeSize
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" font-family="Geist, system-ui, sans-serif" font-size="12">`,
    `<defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="${colors.line}"/></marker></defs>`,
    `<rect ${size} fill="${colors.sheet}"/>`,
    ...edges.map(
      ({ path, calls }) =>
        `<path d="${path}" fill="none" stroke="${colors.line}" stroke-width="${calls > 1 ? 2 : 1.25}" marker-end="url(#end)"/>`,
    ),
    ...edges
      .filter(({ calls }) => calls > 1)
      .map(
        ({ middle, calls }) =>
          `<text x="${middle.x}" y="${middle.y - 4}" text-anchor="middle" font-size="11" fill="${colors.quiet}">${calls}×</text>`,
      ),
    ...nodes.map((node) => {
      const [x, y] = [node.x - box.width / 2, node.y - box.height / 2]
      const isFailed = node.failed > 0
      return [
        `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="6" fill="${colors.sheet}" stroke="${isFailed ? colors.failed : colors.line}"/>`,
        `<text x="${x + 10}" y="${y + 18}" font-weight="500" fill="${colors.text}">${escaped(cut(nameOf(node)))}</text>`,
        `<text x="${x + 10}" y="${y + 34}" font-size="11" fill="${isFailed ? colors.failed : colors.quiet}">${escaped(factsOf(node))}</text>`,
      ].join('')
    }),
    '</svg>',
    '',
  ].join('\n')
}

const cut = (text: string) => (text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }
/** Text as XML has it: signs of markup as words, without what XML does not allow. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
