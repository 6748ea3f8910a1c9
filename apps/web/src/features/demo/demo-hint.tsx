/** How to get a project with demo data, for pages that have nothing to show yet. */
export function DemoHint() {
  return (
    <>
      run <code>heddle demo</code> (in a clone: <code>node apps/heddle/dist/main.js demo</code>), which fills the project local/demo with
      traces, evaluations and training in a few minutes
    </>
  )
}
