/** Marks the section that is being read in the list of sections. */
export function followOutline(): void {
  const links = new Map([...document.querySelectorAll<HTMLAnchorElement>('.outline a')].map((link) => [link.hash.slice(1), link]))
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting)
      if (!entered) return
      for (const [id, link] of links) link.toggleAttribute('data-current', id === entered.target.id)
    },
    { rootMargin: '-64px 0px -75% 0px' },
  )
  for (const id of links.keys()) {
    const heading = document.getElementById(decodeURIComponent(id))
    if (heading) observer.observe(heading)
  }
}
