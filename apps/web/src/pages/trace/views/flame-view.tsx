import { useMemo } from 'react'
import { formatDuration } from '../../../components/duration.ts'
import { readableName } from '../../../components/readable-name.ts'
import type { TreeNode } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'
import { type FlameBlock, flameOf } from './flame-of-trace.ts'

const rowHeight = 26
/** Narrower blocks are too small to be pressed: the table has them all. */
const leastPressed = 0.05
const shownRows = 200

interface Properties {
  roots: readonly TreeNode<TraceCall>[]
  onSelect: (id: string) => void
  /** Shows the calls of a name in the tree. */
  onFind: (name: string) => void
}

/** Where the time of a trace went: calls added up by the path of their names. */
export function FlameView({ roots, onSelect, onFind }: Properties) {
  const { blocks, leftOut } = useMemo(() => flameOf(roots), [roots])
  const rows = useMemo(() => blocks.toSorted((a, b) => b.selfMs - a.selfMs).slice(0, shownRows), [blocks])
  const depth = Math.max(0, ...blocks.map((block) => block.depth)) + 1
  return (
    <>
      <p className="muted">
        Calls of one name below one path of names are one block, as wide as they took together. A block shows its earliest call beside it.
      </p>
      {leftOut > 0 && (
        <p className="notice">
          {leftOut === 1
            ? '1 call is too short or too deep to be drawn here; the tree has it.'
            : `${leftOut.toLocaleString('en')} calls are too short or too deep to be drawn here; the tree has them.`}
        </p>
      )}
      <div
        className="flame"
        style={{ height: Math.min(depth, 24) * rowHeight }}
        role="group"
        aria-label="Time by path of names"
        tabIndex={0}
      >
        <div className="flame-blocks" style={{ height: depth * rowHeight }}>
          {blocks.map((block) => (
            <Block key={JSON.stringify(block.path)} block={block} onSelect={onSelect} />
          ))}
        </div>
      </div>
      <h2>By own time</h2>
      {blocks.length > rows.length && (
        <p className="muted">{`The ${shownRows} paths with the most time of their own, of ${blocks.length.toLocaleString('en')}.`}</p>
      )}
      <div className="scroll" tabIndex={0} role="region" aria-label="Paths by own time">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Below</th>
              <th scope="col" className="number">
                Own time
              </th>
              <th scope="col" className="number">
                Together
              </th>
              <th scope="col" className="number">
                Calls
              </th>
              <th scope="col" className="number">
                Failed
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((block) => (
              <PathRow key={JSON.stringify(block.path)} block={block} onSelect={onSelect} onFind={onFind} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const nameOf = ({ path }: FlameBlock) => path.at(-1) ?? ''

function Block({ block, onSelect }: { block: FlameBlock; onSelect: Properties['onSelect'] }) {
  const name = nameOf(block)
  const text = `${readableName(name)}: ${formatDuration(block.totalMs)} in ${block.calls.toLocaleString('en')} ${block.calls === 1 ? 'call' : 'calls'}`
  const style = { left: `${block.left * 100}%`, width: `${block.width * 100}%`, top: block.depth * rowHeight, height: rowHeight - 1 }
  const className = block.failed > 0 ? 'flame-block failed' : 'flame-block'
  if (block.width < leastPressed) return <span className={className} style={style} title={text} />
  return (
    <button type="button" className={className} style={style} title={text} aria-label={text} onClick={() => onSelect(block.first)}>
      {readableName(name)}
    </button>
  )
}

function PathRow({ block, onSelect, onFind }: { block: FlameBlock } & Omit<Properties, 'roots'>) {
  const name = nameOf(block)
  return (
    <tr>
      <th scope="row">
        <button type="button" className="as-link" onClick={() => onSelect(block.first)}>
          {readableName(name)}
        </button>
      </th>
      <td className="muted">{block.path.slice(0, -1).map(readableName).join(' › ') || 'nothing'}</td>
      <td className="number">{formatDuration(block.selfMs)}</td>
      <td className="number">{formatDuration(block.totalMs)}</td>
      <td className="number">
        <button
          type="button"
          className="as-link"
          aria-label={`The calls named ${readableName(name)} in the tree`}
          onClick={() => onFind(name)}
        >
          {block.calls.toLocaleString('en')}
        </button>
      </td>
      <td className="number">{block.failed.toLocaleString('en')}</td>
    </tr>
  )
}
