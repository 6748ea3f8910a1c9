import { Download, ListFilter, Maximize, Minus, Plus } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { formatDuration } from '../../../lib/time/duration.ts'
import { countText } from '../../../lib/texts/count-text.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { cx } from '../../../lib/cx.ts'
import { useSize } from '../../../lib/use-size.ts'
import { type Kind, KindIcon } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ListTable } from '../../../ui/list-table.tsx'
import { CallName } from '../../calls/call-name.tsx'
import { ShapedButton } from '../../../ui/shaped-button.tsx'
import { type GraphNode, graphOf } from './graph-of-trace.ts'
import type { ByName } from './by-name.ts'
import { kindsOfCalls } from './kinds-of-calls.ts'
import { layoutGraph, nodeSize, type PlacedEdge, type PlacedNode } from './layout-graph.ts'
import { type GraphColors, svgOfGraph } from './svg-of-graph.ts'
import { numberColumn, textColumn } from '../../../ui/table/column-kinds.tsx'

const [minZoom, maxZoom, zoomStep] = [0.3, 1.5, 1.2]

const dots = { backgroundImage: 'radial-gradient(var(--line-2) 1px, transparent 1px)', backgroundSize: '16px 16px' }

/** Which names called which, and how often: a drawing, or the same as a table. */
export function GraphView({ roots, modelCalls, selected, onSelect, onFind }: ByName) {
  const graph = useMemo(() => graphOf(roots), [roots])
  const layout = useMemo(() => layoutGraph(graph), [graph])
  const kinds = useMemo(() => kindsOfCalls(roots, modelCalls), [roots, modelCalls])
  const [room, space] = useSize<HTMLDivElement>()
  const [chosenZoom, setZoom] = useState<number>()
  const [isTable, setIsTable] = useState(false)
  const fit = space.width === 0 || layout.width === 0 ? 1 : Math.max(minZoom, Math.min(1, space.width / layout.width))
  const zoom = chosenZoom ?? fit
  return (
    <div className="relative flex min-h-0 grow flex-col">
      {graph.leftOut > 0 && (
        <p className="shrink-0 border-b border-line px-4 py-2 text-xs text-fg-2">
          {`${countText(graph.leftOut, 'rarer operation')} in the timeline only`}
        </p>
      )}
      <div
        ref={room}
        tabIndex={0}
        role="group"
        aria-label="Names and their calls"
        className="min-h-0 grow overflow-auto -outline-offset-2"
        style={isTable ? undefined : dots}
      >
        {isTable ? (
          <EdgesTable edges={layout.edges} />
        ) : (
          <div className="relative" style={{ width: layout.width * zoom, height: layout.height * zoom + 56 }}>
            <div
              className="absolute top-0 left-0 origin-top-left"
              style={{ transform: `scale(${zoom})`, width: layout.width, height: layout.height }}
            >
              <Lines edges={layout.edges} width={layout.width} height={layout.height} />
              {layout.nodes.map((node) => (
                <Node
                  key={node.name}
                  node={node}
                  kind={kinds.get(node.first) ?? 'fn'}
                  isPicked={node.first === selected}
                  onPick={() => onSelect(node.first)}
                  onFind={() => onFind(node.name)}
                />
              ))}
            </div>
          </div>
        )}
      </div>
      <div className="absolute inset-x-3 bottom-3 flex items-end justify-between">
        <div role="toolbar" aria-label="Graph" className="pop inline-flex gap-0.5 p-0.5">
          <IconButton label="Zoom in" icon={Plus} disabled={isTable} onClick={() => setZoom(Math.min(maxZoom, zoom * zoomStep))} />
          <IconButton label="Zoom out" icon={Minus} disabled={isTable} onClick={() => setZoom(Math.max(minZoom, zoom / zoomStep))} />
          <IconButton label="Fit" icon={Maximize} disabled={isTable} onClick={() => setZoom(undefined)} />
          <IconButton
            label="Export SVG"
            icon={Download}
            onClick={() =>
              saveFile({
                name: 'trace-graph.svg',
                type: 'image/svg+xml',
                text: svgOfGraph(layout, { colors: colorsOfPage(), nameOf: ({ name }) => readableName(name), factsOf }),
              })
            }
          />
        </div>
        <Button aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Show as table
        </Button>
      </div>
    </div>
  )
}

function factsOf({ calls, failed, totalMs }: GraphNode): string {
  const counted = calls === 1 ? '' : `${calls.toLocaleString('en')} calls`
  if (failed > 0) return `${counted === '' ? '1 call' : counted}, ${failed.toLocaleString('en')} failed`
  return [counted, formatDuration(totalMs)].filter((fact) => fact !== '').join(' · ')
}

interface NodeProperties {
  node: PlacedNode
  kind: Kind
  isPicked: boolean
  onPick: () => void
  onFind: () => void
}

function Node({ node, kind, isPicked, onPick, onFind }: NodeProperties) {
  const name = readableName(node.name)
  const edge = isPicked ? 'border-accent ring-1 ring-accent' : node.failed > 0 ? 'border-red' : 'border-line-2'
  return (
    <div
      className={cx('group/node absolute flex rounded-md border bg-sheet shadow-sm pressable', edge)}
      style={{ left: node.x - nodeSize.width / 2, top: node.y - nodeSize.height / 2, ...nodeSize }}
    >
      <ShapedButton
        aria-pressed={isPicked}
        onClick={onPick}
        data-tip={name}
        data-cut=""
        className="flex min-w-0 grow items-center gap-2 rounded-md px-2 text-left"
      >
        <KindIcon kind={kind} />
        <span className="min-w-0">
          <span className="block truncate text-xs font-medium">
            <CallName name={node.name} kind={kind} />
          </span>
          <span className={cx('num block truncate text-2xs', node.failed > 0 ? 'text-red-text' : 'text-fg-3')}>{factsOf(node)}</span>
        </span>
      </ShapedButton>
      <IconButton
        label={`The calls named ${name} in the timeline`}
        icon={ListFilter}
        onClick={onFind}
        className="absolute! top-2 right-1 w-6! bg-hover! opacity-0 group-hover/node:opacity-100 focus-visible:opacity-100"
      />
    </div>
  )
}

/** The lines contain no information that the table lacks. */
function Lines({ edges, width, height }: { edges: readonly PlacedEdge[]; width: number; height: number }) {
  const id = useId()
  return (
    <svg width={width} height={height} aria-hidden className="absolute inset-0">
      <defs>
        <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerUnits="userSpaceOnUse" markerWidth="8" markerHeight="8" orient="auto">
          <path d="M0 0 8 4 0 8z" fill="var(--control)" />
        </marker>
      </defs>
      {edges.map(({ from, to, path, calls }) => (
        <path
          key={JSON.stringify([from, to])}
          d={path}
          fill="none"
          stroke="var(--control)"
          strokeWidth={calls > 1 ? 2 : 1.25}
          markerEnd={`url(#${id})`}
        />
      ))}
      {edges
        .filter(({ calls }) => calls > 1)
        .map(({ from, to, middle, calls }) => {
          const text = `${calls.toLocaleString('en')}×`
          const half = 5 + text.length * 3.4
          return (
            <g key={JSON.stringify([from, to])}>
              <rect x={middle.x - half} y={middle.y - 9} width={half * 2} height="18" rx="4" fill="var(--sheet)" stroke="var(--line-2)" />
              <text x={middle.x} y={middle.y + 4} textAnchor="middle" fontSize="11" fill="var(--fg-2)">
                {text}
              </text>
            </g>
          )
        })}
    </svg>
  )
}

function EdgesTable({ edges }: { edges: readonly PlacedEdge[] }) {
  return (
    <ListTable<PlacedEdge>
      label="Calls between names"
      rows={[...edges]}
      rowId={({ from, to }) => JSON.stringify([from, to])}
      rowHeight={32}
      minWidth={320}
      edge={false}
      columns={[
        textColumn('from', 'From', 'auto', ({ from }) => readableName(from)),
        textColumn('to', 'To', 'auto', ({ to }) => readableName(to)),
        numberColumn('calls', 'Calls', '96px', ({ calls }) => calls),
      ]}
    />
  )
}

/** Colours of the page as a file can have them: its tokens are names of two. */
function colorsOfPage(): GraphColors {
  const probe = document.body.appendChild(document.createElement('span'))
  const read = (token: string) => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const colors = { sheet: read('sheet'), line: read('control'), text: read('fg'), quiet: read('fg-3'), failed: read('red') }
  probe.remove()
  return colors
}
