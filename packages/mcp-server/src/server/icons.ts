const drawing = (stroke: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M3 2v12M8 2v12M13 2v12M1 6h14M1 10h14" fill="none" stroke="${stroke}" stroke-width="1.6" stroke-linecap="round"/></svg>`

const icon = (theme: 'light' | 'dark', stroke: string) => ({
  src: `data:image/svg+xml;base64,${Buffer.from(drawing(stroke)).toString('base64')}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
  theme,
})

/** What assistants may show beside the name of this server, on a light and on a dark background. */
export const icons = [icon('light', '#3b6fd4'), icon('dark', '#8fb1f2')]
