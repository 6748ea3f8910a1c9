/** The handlers of resources, under the names of the resources; what else a resource offers is for the others that are wired to it. */
export const handlersOf = <Resources extends Readonly<Record<string, { handlers: object }>>>(resources: Resources) =>
  Object.fromEntries(Object.entries(resources).map(([name, { handlers }]) => [name, handlers])) as {
    [Name in keyof Resources]: Resources[Name]['handlers']
  }
