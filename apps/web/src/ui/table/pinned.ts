import type { Tracks } from './columns.ts'

type Offset = ReturnType<Tracks['offsets']['get']>

/** Cells of a pinned column cover those that scroll below them, with a mark at their edge. */
export function pinnedClass(offset: Offset, isScrolled: boolean): string | false {
  if (offset === undefined) return false
  const edge = offset.side === 'left' ? 'border-r shadow-sm' : 'border-l shadow-sm'
  return `sticky z-1 h-full bg-inherit ${offset.isEdge && isScrolled ? `${edge} border-line` : ''}`
}

export const pinnedStyle = (offset: Offset) => offset && { [offset.side]: offset.px }
