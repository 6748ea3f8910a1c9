import { X } from 'lucide-react'
import { numberText } from '../../../lib/texts/number-text.ts'
import type { ClassSearch } from '../classes/class-choice.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { measureTitle } from '../measure-text.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import type { ExpressionSearch } from './filter-properties.ts'
import type { KeptRange, RangeSearch, ScoreRange } from './kept-ranges.ts'

type Search = RangeSearch & ClassSearch & ExpressionSearch

interface Properties {
  search: Search
  /** The measure by which rows are chosen. */
  name: string
  compared: ComparedRuns
  labels: readonly string[]
  onChange: (changed: Search) => void
}

interface Chip {
  text: string
  without: Search
}

/** What leaves rows out, each as a chip that can be taken away. Nothing where all rows are listed. */
export function ActiveFilters({ search, name, compared, labels, onChange }: Properties) {
  const chips = chipsOf(search, name, compared, labels)
  const unknown = (search.ranges ?? []).filter((range) => !compared.names.includes(range.name)).map((range) => range.name)
  return (
    <>
      {chips.length > 0 && (
        <ul aria-label="Filters" className="flex shrink-0 flex-wrap gap-1.5 px-4 py-2">
          {chips.map(({ text, without }) => (
            <li key={text} className="inline-flex max-w-full items-center rounded-md border border-line bg-hover pl-2 text-xs">
              <span className="truncate">{text}</span>
              <IconButton label={`Remove ${text}`} icon={X} className="size-6!" onClick={() => onChange(without)} />
            </li>
          ))}
        </ul>
      )}
      {unknown.length > 0 && (
        <Notice className="mx-4 my-2" title={`No run has the measure ${unknown.join(' or ')}, so that no row is in its range`} />
      )}
    </>
  )
}

function chipsOf(search: Search, name: string, compared: ComparedRuns, labels: readonly string[]): Chip[] {
  const { from, to, of, against, againstFrom, againstTo, ranges = [], score, is, isIn, filter, filters = [] } = search
  const inRun = (place: number | undefined) =>
    labels.length === 1 ? '' : place === undefined ? ' in any run' : ` in ${place}. ${labels[place - 1] ?? 'a run that is not compared'}`
  const range = (one: KeptRange) => `${rangeText(one, compared)}${inRun(one.of)}`
  return [
    ...(from === undefined && to === undefined
      ? []
      : [{ text: range({ name, from, to, of }), without: { from: undefined, to: undefined, of: undefined } }]),
    ...(against === undefined || (againstFrom === undefined && againstTo === undefined)
      ? []
      : [
          {
            text: range({ name: against, from: againstFrom, to: againstTo, of }),
            without: { againstFrom: undefined, againstTo: undefined },
          },
        ]),
    ...ranges.map((one, at) => {
      const others = ranges.toSpliced(at, 1)
      return { text: range(one), without: { ranges: others.length > 0 ? others : undefined } }
    }),
    ...(score === undefined || is === undefined
      ? []
      : [{ text: `${score} is ${is}${inRun(isIn)}`, without: { is: undefined, isIn: undefined } }]),
    ...(filter === undefined ? [] : [{ text: `where ${filter}`, without: { filter: undefined, filterIn: undefined } }]),
    ...filters.map((one, at) => {
      const others = filters.toSpliced(at, 1)
      return { text: `and where ${one.filter}`, without: { filters: others.length > 0 ? others : undefined } }
    }),
  ]
}

function rangeText({ name, from, to }: ScoreRange, { runs }: ComparedRuns): string {
  const isRate = runs.every(({ measures }) => measures.get(name)?.isRate ?? true)
  const [low, high] = [from, to].map((end) => (end === undefined ? undefined : numberText(end, isRate)))
  const range = low === high ? low : [low && `from ${low}`, high && `to ${high}`].filter(Boolean).join(' ')
  return `${measureTitle(name)} ${range}`
}
