import { afterRequests } from '../../lib/code/after-requests.ts'

/** The parts around the list, after the request for its rows, which effects send when the page is drawn. */
export const loadAroundList = async () => {
  await afterRequests()
  return import('./around-list.ts')
}
