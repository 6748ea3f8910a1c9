import { ArrowRight, BookOpen, Clock, Keyboard, ListTree, type LucideIcon, Moon, Package } from 'lucide-react'
import { navigation } from '../navigation.ts'
import type { Target } from './targets.ts'

const groups: Readonly<Record<string, string>> = { recent: 'Recent', action: 'Actions', page: 'Go to' }

/** Above the targets of a kind, where nothing is searched. */
export const titleOfGroup = (kind: string): string => groups[kind] ?? 'Found'

const icons: Readonly<Record<string, LucideIcon>> = { recent: Clock, 'call with this id': ListTree }
const iconsOfActions: Readonly<Record<string, LucideIcon>> = { 'action:docs': BookOpen, 'action:keys': Keyboard }
const iconsOfPages = new Map(navigation.flatMap(({ pages }) => pages.map(({ title, icon }) => [title, icon])))

export function iconOf({ href, kind, title }: Target): LucideIcon {
  if (kind === 'page') return iconsOfPages.get(title) ?? ArrowRight
  if (kind === 'action') return iconsOfActions[href] ?? Moon
  return icons[kind] ?? Package
}
