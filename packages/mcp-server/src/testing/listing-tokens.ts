import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { chosenTools } from '../server/chosen-tools.ts'
import { describeTool } from '../tools/schema/describe-tool.ts'
import { tools } from '../tools/tools.ts'

const costOf = (value: unknown) => encode(JSON.stringify(value)).length

/** Tokens that the listing costs a conversation: in all, and of each tool. */
export function listingTokens() {
  return {
    total: { default: costOf(chosenTools({}).map(describeTool)), all: costOf(tools.map(describeTool)) },
    tools: Object.fromEntries(tools.map((tool) => [tool.name, costOf(describeTool(tool))])),
  }
}
