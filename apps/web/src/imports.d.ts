declare module '*.css'
declare module '*?worker&url' {
  /** Address of a script for a worker, as the build names it. */
  const url: string
  export default url
}
