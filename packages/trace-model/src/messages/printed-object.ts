/** Whether a text is how programs in Python print an object: `AgentOutput(response=…)`, `StartEvent()` or `<groq.Stream object at 0x7f00>`. */
export const isPrintedObject = (text: string) => printedObject.test(text)

const printedObject = /^(?:[A-Z]\w*\((?:\)$|[A-Za-z_]\w*=)|<[\w.]+ object at 0x)/
