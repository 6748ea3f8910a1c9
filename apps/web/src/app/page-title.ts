import { readableName } from '../components/readable-name.ts'
import { publicPage } from './public-page.ts'

/** What the browser shows of a page in its tab and history, by the path: the page first, since tabs are narrow. */
export function pageTitle(pathname: string): string {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const [entity, project, ...page] = segments.map(decoded)
  const place = project === undefined ? [] : [`${entity}/${project}`]
  if (pathname === publicPage) return 'Shared trace · Heddle'
  const words = project === undefined ? [entity ?? 'projects'] : page
  return [...(words.length > 0 ? [capitalised(words.join(' '))] : []), ...place, 'Heddle'].join(' · ')
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A path that no page made may hold anything. */
function decoded(segment: string): string {
  try {
    return readableName(decodeURIComponent(segment))
  } catch {
    return segment
  }
}
