import { readableName } from '../lib/texts/readable-name.ts'
import { publicPage } from './public-page.ts'

/** Title of a page in the browser's tab and history, from its path: the page first, since tabs are narrow. */
export function pageTitle(pathname: string): string {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  const [entity, project, ...page] = segments.map(decoded)
  const place = project === undefined ? [] : [`${entity}/${project}`]
  if (pathname === publicPage) return 'Shared trace · Heddle'
  const [first, ...others] = page
  const words =
    project === undefined ? [entity ?? 'projects'] : [...(first === 'calls' ? ['traces'] : first === undefined ? [] : [first]), ...others]
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
