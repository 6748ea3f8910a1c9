import { useMemo } from 'react'
import { formatDuration } from '../../../components/duration.ts'
import { readableName } from '../../../components/readable-name.ts'
import type { TreeNode } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'
import { type GraphEdge, type GraphNode, graphOf } from './graph-of-trace.ts'

const [boxWidth, boxHeight, gapX, gapY, edge] = [180, 48, 90, 24, 12]
const xOf = ({ column }: GraphNode) => edge + column * (boxWidth + gapX)
const yOf = ({ row }: GraphNode) => edge + row * (boxHeight + gapY)

/** With more lines their numbers would lie on each other. */
const maxCountedLines = 30

interface Properties {
  roots: readonly TreeNode<TraceCall>[]
  /** Shows the calls of a name in the tree. */
  onFind: (name: string) => void
}

/** Which names called which, and how often. */
export function GraphView({ roots, onFind }: Properties) {
  const { nodes, edges, leftOut } = useMemo(() => graphOf(roots), [roots])
  const byName = useMemo(() => new Map(nodes.map((node) => [node.name, node])), [nodes])
  const width = Math.max(0, ...nodes.map(xOf)) + boxWidth + edge + gapX
  const isCounted = edges.length <= maxCountedLines
  const height = Math.max(0, ...nodes.map(yOf)) + boxHeight + edge
  return (
    <>
      <p className="muted">
        Each box is all calls of one name; a line says how often one called the other. A box shows its calls in the tree.
      </p>
      {leftOut > 0 && (
        <p className="notice">{`${leftOut.toLocaleString('en')} names with the fewest calls are left out; the tree has them.`}</p>
      )}
      <div className="graph" tabIndex={0} role="group" aria-label="Names and their calls">
        <div className="graph-content" style={{ width, height }}>
          <svg width={width} height={height} aria-hidden="true">
            {edges.map((one) => (
              <Line key={`${one.from} ${one.to}`} edge={one} from={byName.get(one.from)} to={byName.get(one.to)} isCounted={isCounted} />
            ))}
          </svg>
          {nodes.map((node) => (
            <button
              key={node.name}
              type="button"
              className={node.failed > 0 ? 'graph-box failed' : 'graph-box'}
              style={{ left: xOf(node), top: yOf(node), width: boxWidth, height: boxHeight }}
              title={readableName(node.name)}
              onClick={() => onFind(node.name)}
            >
              <span className="graph-name">{readableName(node.name)}</span>
              <span className="graph-name">{factsOf(node)}</span>
            </button>
          ))}
        </div>
      </div>
      <details>
        <summary>{isCounted ? 'The same as a table' : 'The same as a table, with the numbers of all lines'}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Calls</th>
            </tr>
          </thead>
          <tbody>
            {edges.map(({ from, to, calls }) => (
              <tr key={`${from} ${to}`}>
                <td>{readableName(from)}</td>
                <td>{readableName(to)}</td>
                <td className="number">{calls.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function factsOf({ calls, failed, totalMs }: GraphNode): string {
  const facts = [`${calls.toLocaleString('en')} ×`, formatDuration(totalMs)]
  return [...facts, ...(failed > 0 ? [`${failed.toLocaleString('en')} failed`] : [])].join(' · ')
}

/** To a box further right it leaves at the right; to one in the same column or further left it goes around on the right. */
function Line({ edge: { calls }, from, to, isCounted }: LineProperties) {
  if (!from || !to) return null
  const [x1, y1] = [xOf(from) + boxWidth, yOf(from) + boxHeight / 2]
  const isForward = to.column > from.column
  const [x2, y2] = [isForward ? xOf(to) : xOf(to) + boxWidth, yOf(to) + boxHeight / 2 + (from === to ? boxHeight / 3 : 0)]
  const bend = isForward ? gapX / 2 : Math.min(gapX, 30 + Math.abs(to.row - from.row) * 12)
  const path = `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${isForward ? x2 - bend : x2 + bend} ${y2}, ${x2} ${y2}`
  const middleX = isForward ? (x1 + x2) / 2 : Math.max(x1, x2) + bend * 0.75
  // A line back stands beside the line there.
  const middleY = (y1 + y2) / 2 + (to.row < from.row ? 10 : -2)
  return (
    <>
      <path d={path} className="graph-line" />
      <circle cx={x2} cy={y2} r={3} className="graph-end" />
      {isCounted && (
        <text x={middleX} y={middleY} className="graph-count">
          {calls.toLocaleString('en')}
        </text>
      )}
    </>
  )
}

interface LineProperties {
  edge: GraphEdge
  from: GraphNode | undefined
  to: GraphNode | undefined
  isCounted: boolean
}
