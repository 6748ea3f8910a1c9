/** Addresses of the pages of a project that show what the demo recorded. `baseUrl` has no slash at the end. */
export function pagesOfDemo(baseUrl: string, project: string) {
  const at = (path: string) => `${baseUrl}/${project}/${path}`
  return {
    call: (id: string) => at(`calls/${id}`),
    run: (id: string) => at(`evaluations/runs/${id}`),
    comparison: (ids: readonly string[]) => at(`evaluations/compare?ids=${ids.join(',')}`),
    job: (id: string) => at(`training/jobs/${id}`),
    model: (id: string) => at(`training/models/${id}`),
    queue: (id: string) => at(`queues/${id}`),
    dashboard: (id: string) => at(`dashboards/${id}`),
  }
}
