/** The parts around the list, after the request for its rows: a browser sends few requests at once, and effects send theirs after the page is drawn. */
export const loadAroundList = async () => {
  await new Promise((resolve) => setTimeout(resolve))
  return import('./around-list.ts')
}
