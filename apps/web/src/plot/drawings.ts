import { lazyPart } from '../ui/lazy-part.tsx'

// Drawings with axes, whose code a page does not wait for: `ChartFrame` keeps their place until it is there.
export const Bars = lazyPart(() => import('./bars.tsx').then(({ Bars }) => Bars))
export const Distribution = lazyPart(() => import('./distribution.tsx').then(({ Distribution }) => Distribution))
export const Forest = lazyPart(() => import('./forest.tsx').then(({ Forest }) => Forest))
export const Lines = lazyPart(() => import('./lines.tsx').then(({ Lines }) => Lines))
export const Points = lazyPart(() => import('./points.tsx').then(({ Points }) => Points))
