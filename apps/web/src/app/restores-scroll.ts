/**
 * Whether the page goes to the top, or to where it was, after a navigation: only when it is another page. One that changes nothing but its own
 * search parameters, such as a chosen row, stays where it is.
 */
export function restoresScroll(): (navigation: { location: { pathname: string } }) => boolean {
  let before: string | undefined
  return ({ location }) => {
    const isOther = location.pathname !== before
    before = location.pathname
    return isOther
  }
}
