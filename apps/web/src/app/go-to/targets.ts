import { partTitles } from '../../pages/settings/part-titles.ts'
import { settingsParts } from '../../pages/settings/settings-parts.ts'
import { libraryKinds } from '../../features/library/library-kinds.ts'

/** Something that the search leads to. */
export interface Target {
  /** Its path on this server. */
  href: string
  title: string
  kind: string
  /** The action of a target that leads to no page; its `href` is only an identifier. */
  run?: () => void
}

const pages = [
  ['', 'Overview'],
  ['calls', 'Traces'],
  ['calls?status=error&level=all', 'Traces: errors'],
  ['threads', 'Threads'],
  ['feedback', 'Feedback'],
  ['dashboards', 'Dashboards'],
  ['costs', 'Costs'],
  ['evaluations', 'Evaluations'],
  ['evaluations?form=new', 'New evaluation run'],
  ['datasets', 'Datasets'],
  ['queues', 'Annotation'],
  ['training/jobs', 'Training jobs'],
  ['training/models', 'Trained models'],
  ['training/start', 'Train from traces'],
  ...libraryKinds.map(({ path, title }) => [path, title] as const),
  ['registry', 'Registry'],
  ['playground', 'Playground'],
  ['settings', 'Settings'],
  ...settingsParts.map((part) => [`settings?part=${part}`, `Settings: ${partTitles[part].title}`] as const),
] as const

/** The pages of a project, and those of the server. Without a project only the latter. */
export function pageTargets(project: string | undefined): Target[] {
  const own = project === undefined ? [] : pages.map(([path, title]) => ({ href: `/${project}/${path}`, title, kind: 'page' }))
  return [...own, { href: '/', title: 'Projects', kind: 'page' }, { href: '/status', title: 'Service status', kind: 'page' }]
}

/** At most this many are offered. */
export const maxTargets = 20

/** Targets that have every word of the text in their title or kind: first those whose title it is, then those whose title begins with it. */
export function findTargets(targets: readonly Target[], text: string): Target[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = targets.filter(({ title, kind }) => words.every((word) => `${title} ${kind}`.toLowerCase().includes(word)))
  const wanted = text.trim().toLowerCase()
  const begins = ({ title }: Target) =>
    Number(title.toLowerCase() === wanted) + Number(words[0] !== undefined && title.toLowerCase().startsWith(words[0]))
  return found
    .toSorted((one, other) => begins(other) - begins(one))
    .filter(({ href }, at, all) => all.findIndex((one) => one.href === href) === at)
    .slice(0, maxTargets)
}

/** Whether a text looks like the id of a call: a UUID, or the hexadecimal id of a span. */
export const isCallId = (text: string) => /^([0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32})$/i.test(text.trim())
