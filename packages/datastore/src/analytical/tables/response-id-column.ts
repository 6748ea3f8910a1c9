import { quoteText } from '../quote.ts'
import type { DerivedColumn } from '../table.ts'

/** Where ingest writes the id of a provider's response, in the attributes of a call. */
const name = 'response_id'
const attribute = quoteText(name)

/** A longer id counts as none: no provider has such ids, and a part of one could equal that of another response. */
const maxBytes = 256

/** Attributes without the name are not parsed. */
const found = `if(position(attributes, ${attribute}) = 0, '', JSONExtractString(attributes, ${attribute}))`

/** Id of the response that a call is about, as its attributes name it; `''` where they name none. Reports of one request have the same. */
export const responseIdColumn: DerivedColumn = {
  type: 'String',
  codec: 'ZSTD(1)',
  from: `arrayMap(id -> if(length(id) > ${maxBytes}, '', id), [${found}])[1]`,
  ifNoneOf: { texts: [name], value: "''" },
}
