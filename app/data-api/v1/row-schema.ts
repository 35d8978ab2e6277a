import type { Column, ColumnType } from '#app/datasets/catalog/column.ts'

type JsonSchema = Record<string, unknown>

const WHOLE = String.raw`^-?\d+$`
const TIME = String.raw`^-?\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$`

/** How each type is written in JSON. Numbers that JavaScript or JSON cannot hold exactly are text. */
const shapes: Record<ColumnType, { types: string[]; rules?: JsonSchema }> = {
  text: { types: ['string'] },
  integer: { types: ['integer', 'string'], rules: { pattern: WHOLE } },
  number: { types: ['number', 'string'] },
  boolean: { types: ['boolean'] },
  date: { types: ['string'], rules: { format: 'date' } },
  timestamp: { types: ['string'], rules: { pattern: TIME } },
  list: { types: ['array'] },
  object: { types: ['object'] },
}

/** JSON Schema (2020-12) of a row in `application/json` and `application/x-ndjson`. Any value may be null. */
export function rowSchema(id: string, title: string, columns: readonly Pick<Column, 'name' | 'type' | 'description'>[]): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title,
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, valueSchema(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  }
}

function valueSchema({ type, description }: Pick<Column, 'type' | 'description'>): JsonSchema {
  const { types, rules = {} } = shapes[type]
  return { ...(description && { description }), type: [...types, 'null'], ...rules }
}
