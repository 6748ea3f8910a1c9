import type { ReactNode } from 'react'

interface Properties {
  count: number
  /** Overlay of a point, such as a link to its rows. It fills the point's area. */
  part: (at: number) => ReactNode
  /** Left edge of the first area, in pixels. */
  left: number
  /** Width of an area in pixels. */
  band: number
  top: number
  height: number
}

/** An area over each point of a chart, which is easy to hit with a pointer. With the keyboard, the table of the chart links to the same rows. */
export const PointParts = ({ count, part, left, band, top, height }: Properties) =>
  Array.from({ length: count }, (_, at) => (
    // Points keep their order, so the index is a stable key.
    <span key={String(at)} className="absolute" style={{ left: left + at * band, width: band, top, height }}>
      {part(at)}
    </span>
  ))
