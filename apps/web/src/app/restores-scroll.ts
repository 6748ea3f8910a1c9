/**
 * Whether the page scrolls to the top, or to its previous position, after a navigation: only for another page. A navigation that changes only search
 * parameters, such as the selected row, keeps the position.
 */
export function restoresScroll(): (navigation: { location: { pathname: string } }) => boolean {
  let before: string | undefined
  return ({ location }) => {
    const isOther = location.pathname !== before
    before = location.pathname
    return isOther
  }
}
