import {
  BookText,
  Boxes,
  ChartNoAxesCombined,
  CircleDollarSign,
  Database,
  FlaskConical,
  House,
  LayoutDashboard,
  Library,
  ListChecks,
  ListTree,
  type LucideIcon,
  MessagesSquare,
  Package,
  Settings,
  SquareTerminal,
  ThumbsUp,
} from 'lucide-react'

/** A page of a project that the sidebar leads to. */
export interface NavigationPage {
  title: string
  icon: LucideIcon
  /** Its address below the project; `''` is the first page. */
  path: string
  /** Further parts of the address that belong to it. */
  alsoAt?: readonly string[]
  /** What is under way there, which its link marks. */
  underWay?: 'runs' | 'items' | 'jobs'
}

export interface NavigationGroup {
  /** Null for pages without a group. */
  title: string | null
  pages: readonly NavigationPage[]
}

export const navigation: readonly NavigationGroup[] = [
  { title: null, pages: [{ title: 'Overview', path: '', icon: House }] },
  {
    title: 'Observe',
    pages: [
      { title: 'Traces', path: 'calls', icon: ListTree },
      { title: 'Threads', path: 'threads', icon: MessagesSquare },
      { title: 'Dashboards', path: 'dashboards', icon: LayoutDashboard },
      { title: 'Costs', path: 'costs', icon: CircleDollarSign },
      { title: 'Feedback', path: 'feedback', icon: ThumbsUp },
    ],
  },
  {
    title: 'Evaluate',
    pages: [
      { title: 'Evaluations', path: 'evaluations', icon: FlaskConical, underWay: 'runs' },
      { title: 'Datasets', path: 'datasets', icon: Database },
      { title: 'Annotation', path: 'queues', icon: ListChecks, underWay: 'items' },
    ],
  },
  {
    title: 'Train',
    pages: [
      { title: 'Jobs', path: 'training/jobs', alsoAt: ['training/start'], icon: ChartNoAxesCombined, underWay: 'jobs' },
      { title: 'Models', path: 'training/models', icon: Boxes },
    ],
  },
  {
    title: 'Build',
    pages: [
      { title: 'Playground', path: 'playground', icon: SquareTerminal },
      { title: 'Prompts', path: 'prompts', icon: BookText },
      { title: 'Library', path: 'ops', alsoAt: ['models', 'scorers', 'objects'], icon: Library },
      { title: 'Registry', path: 'registry', icon: Package },
    ],
  },
  { title: null, pages: [{ title: 'Settings', path: 'settings', icon: Settings }] },
]

/** Whether the part of an address after the project belongs to a page. */
export function isPageOf({ path, alsoAt = [] }: NavigationPage, address: string): boolean {
  if (path === '') return address === ''
  return [path, ...alsoAt].some((known) => address === known || address.startsWith(`${known}/`))
}
