/** How to set the project of a request. Written as proxies pass it on: some drop header fields with an underscore in their name. */
export const missingProject =
  'set the resource attributes wandb.entity and wandb.project, or the request header project-id: <entity>/<project>'
