import './series.css'

/** How the line of a series is drawn, beside its name. `at` is its place among the series, from 0. */
export const LineSwatch = ({ at }: { at: number }) => (
  <svg viewBox="0 0 40 8" width="40" height="8" aria-hidden="true" className={`series-${at}`}>
    <line x1="0" x2="40" y1="4" y2="4" stroke="currentColor" strokeWidth="2" className="smoothed" />
  </svg>
)
