import { isJsonNumber, printJson } from '@heddle/json/exact'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { CopyButton } from './copy-button.tsx'

const openAtFirst = 3
/** Most members that are expanded initially. */
const maxOpen = 300
/** Members of one value that are shown together. */
const membersAtOnce = 100
const shownCharacters = 2_000
const indentPx = 14

interface Properties {
  /** JSON, whose numbers may be exact. */
  value: unknown
  label: string
  /** Without a border. */
  isBare?: boolean
}

/** A JSON value as a tree. Long lists and long texts are shown in pieces; numbers are exact. */
export function JsonView({ value, label, isBare = false }: Properties) {
  const isOpen = useMemo(() => openedAtFirst(value), [value])
  return (
    <div className={cx('group/json relative', !isBare && 'rounded-lg border border-line bg-sunken p-3')}>
      <div className="absolute top-0.5 right-0.5 z-1 opacity-0 group-hover/json:opacity-100 focus-within:opacity-100">
        <CopyButton text={() => (typeof value === 'string' ? value : printJson(value))} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <div role="group" aria-label={label} className="mono leading-5">
        {isContainer(value) ? <Members value={value} depth={0} isOpen={isOpen} /> : <Leaf value={value} />}
      </div>
    </div>
  )
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null && !isJsonNumber(value)
const namesOf = (value: Container) => (Array.isArray(value) ? undefined : Object.keys(value))
const sizeOf = (value: Container) => (Array.isArray(value) ? value.length : Object.keys(value).length)

/** What holds one member is opened with it, down to this depth. */
const deepest = 12

/**
 * Values that are expanded initially: the outer ones, as many as have few members together. A value with a single member shows nothing while
 * collapsed, and does not count.
 */
function openedAtFirst(value: unknown): (inner: Container) => boolean {
  const opened = new Set<unknown>()
  let [level, members] = [[{ value, levels: 0 }], 0]
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const below: typeof level = []
    for (const { value: one, levels } of level) {
      if (!isContainer(one) || levels >= openAtFirst) continue
      const size = Math.min(membersAtOnce, sizeOf(one))
      members += size
      if (members > maxOpen) break
      opened.add(one)
      const inner = Object.values(one).slice(0, membersAtOnce) as unknown[]
      for (const member of inner) below.push({ value: member, levels: size === 1 ? levels : levels + 1 })
    }
    level = below
  }
  return (inner) => opened.has(inner)
}

interface MembersProperties {
  value: Container
  depth: number
  isOpen: (inner: Container) => boolean
}

function Members({ value, depth, isOpen }: MembersProperties) {
  const [shown, setShown] = useState(membersAtOnce)
  const names = namesOf(value)
  const size = names?.length ?? sizeOf(value)
  const members = Array.from({ length: Math.min(shown, size) }, (_, at) => {
    const name = names?.[at] ?? String(at)
    return { name, value: (value as Readonly<Record<string, unknown>>)[name] }
  })
  return (
    <>
      {members.map((member) => (
        <Member key={member.name} {...member} depth={depth} isOpen={isOpen} />
      ))}
      {size > shown && (
        <div style={{ marginLeft: depth * indentPx }}>
          <MoreButton
            onClick={() => setShown(shown + membersAtOnce * 10)}
          >{`Show more of the other ${(size - shown).toLocaleString('en')}`}</MoreButton>
        </div>
      )}
    </>
  )
}

function Member({ name, value, depth, isOpen: isOpenAtFirst }: Omit<MembersProperties, 'value'> & { name: string; value: unknown }) {
  const [isOpen, setIsOpen] = useState(() => isContainer(value) && isOpenAtFirst(value))
  const key = (
    <span style={{ color: 'var(--code-key)' }}>
      {name}
      <span className="text-fg-3">: </span>
    </span>
  )
  if (!isContainer(value)) {
    return (
      <div className="flex pl-4" style={{ marginLeft: depth * indentPx }}>
        <span className="min-w-0 wrap-anywhere">
          {key}
          <Leaf value={value} />
        </span>
      </div>
    )
  }
  const Chevron = isOpen ? ChevronDown : ChevronRight
  const size = sizeOf(value)
  const unit = Array.isArray(value) ? (size === 1 ? 'item' : 'items') : size === 1 ? 'key' : 'keys'
  return (
    <>
      <div style={{ marginLeft: depth * indentPx }}>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className="inline-flex min-h-6 max-w-full items-center rounded-sm text-left wrap-anywhere pressable"
        >
          <Chevron size={12} aria-hidden className="mr-1 text-fg-3" />
          {key}
          <span className="ml-1.5 whitespace-nowrap text-fg-3">{`${size.toLocaleString('en')} ${unit}`}</span>
        </button>
      </div>
      {isOpen && <Members value={value} depth={depth + 1} isOpen={isOpenAtFirst} />}
    </>
  )
}

function Leaf({ value }: { value: unknown }) {
  const [showsAll, setShowsAll] = useState(false)
  if (isJsonNumber(value)) return <span style={{ color: 'var(--code-number)' }}>{value.text}</span>
  if (typeof value === 'number') return <span style={{ color: 'var(--code-number)' }}>{String(value)}</span>
  if (typeof value !== 'string') return <span style={{ color: 'var(--code-word)' }}>{String(value)}</span>
  const isCut = !showsAll && value.length > shownCharacters
  return (
    <span className="whitespace-pre-wrap wrap-anywhere" style={{ color: 'var(--code-string)' }}>
      {`"${isCut ? value.slice(0, shownCharacters) : value}"`}
      {isCut && (
        <MoreButton
          onClick={() => setShowsAll(true)}
        >{`Show the other ${(value.length - shownCharacters).toLocaleString('en')} characters`}</MoreButton>
      )}
    </span>
  )
}

function MoreButton({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="ml-1 inline-flex min-h-6 items-center rounded-sm px-1 font-sans text-xs text-accent-text pressable"
    >
      {children}
    </button>
  )
}
