/** A deletion of data lists its calls under its own id, and what these name under another one. */
export const namedList = (deletionId: string) => `${deletionId}/named`

/** The deletion that a list belongs to. */
export const deletionOfList = (listId: string) => listId.split('/')[0] ?? listId
