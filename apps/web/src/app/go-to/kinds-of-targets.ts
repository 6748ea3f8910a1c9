import { ArrowRight, BookOpen, Keyboard, type LucideIcon, Moon } from 'lucide-react'
import { isPageOf, navigation } from '../navigation.ts'
import type { Target } from './targets.ts'

const groups: Readonly<Record<string, string>> = { recent: 'Recent', action: 'Actions', page: 'Go to' }

/** Above the targets of a kind, where nothing is searched. */
export const titleOfGroup = (kind: string): string => groups[kind] ?? 'Found'

const iconsOfActions: Readonly<Record<string, LucideIcon>> = { 'action:docs': BookOpen, 'action:keys': Keyboard }
const pages = navigation.flatMap((group) => group.pages)

/** The icon of the page that an address belongs to. */
export function iconOf({ href, kind }: Target): LucideIcon {
  if (kind === 'action') return iconsOfActions[href] ?? Moon
  const [, entity, project, ...below] = (href.split(/[?#]/)[0] ?? '').split('/')
  if (!entity || project === undefined) return ArrowRight
  return pages.find((page) => isPageOf(page, below.join('/')))?.icon ?? ArrowRight
}
