/** Threads of a loom: warps from top to bottom, spans woven through them. A picture without a meaning. */
export function Weave() {
  return (
    <svg
      viewBox="0 0 780 900"
      preserveAspectRatio="xMidYMid slice"
      className="absolute inset-0 h-full w-full [mask-image:linear-gradient(100deg,transparent,black_60%)]"
      aria-hidden
    >
      {warps.map((x) => (
        <line key={x} x1={x} x2={x} y1="0" y2="900" stroke="var(--line-2)" />
      ))}
      {spans.map(({ x, y, width, kind, over }) => (
        <g key={`${x} ${y}`}>
          <rect x={x - 7} y={y} width={width + 14} height="10" rx="5" fill={`var(--kind-${kind})`} opacity="0.7" />
          {over.map((warp) => (
            <g key={warp}>
              <path d={`M${warp - 2},${y - 0.5}h4v11h-4z`} fill="var(--sunken)" />
              <line x1={warp} x2={warp} y1={y - 1} y2={y + 11} stroke="var(--line-2)" />
            </g>
          ))}
        </g>
      ))}
    </svg>
  )
}

const kinds = ['agent', 'llm', 'tool', 'retrieval', 'fn', 'guard', 'scorer'] as const
const gap = 34
const warps = Array.from({ length: 23 }, (_, at) => 20 + at * gap)

interface Span {
  x: number
  y: number
  width: number
  kind: (typeof kinds)[number]
  /** Indexes of the warps that lie over it. */
  over: readonly number[]
}

const spans = weave(27)

/** The same at each visit. */
function weave(rows: number): Span[] {
  const next = numbersFrom(5)
  const woven: Span[] = []
  for (let row = 0; row < rows; row++) {
    const y = 24 + row * 33
    let x = 20 + Math.floor(next() * 3) * gap
    while (x < 740) {
      const length = (2 + Math.floor(next() * next() * 9)) * gap
      if (next() < 0.72) {
        const kind = kinds[Math.floor(next() * next() * kinds.length)] ?? 'fn'
        const over = warps.filter((warp, at) => warp > x && warp < x + length && (at + row) % 2 === 0)
        woven.push({ x, y, width: Math.min(length, 768 - x), kind, over })
      }
      x += length + (1 + Math.floor(next() * 3)) * gap
    }
  }
  return woven
}

/** Pseudorandom numbers from 0 up to 1. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}
