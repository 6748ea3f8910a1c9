/** The names behind internal project ids. */
export interface ProjectNamesStore {
  /** `entity/project`; undefined where no project has this internal id. */
  findByInternalId(internalId: string): Promise<string | undefined>
}
