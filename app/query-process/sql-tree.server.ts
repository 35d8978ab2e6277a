/** Makes rows of nothing but what it is given. All others read files, catalogues or settings, or change what the engine does. */
const TABLE_FUNCTIONS = new Set([
  'range',
  'generate_series',
  'unnest',
  'repeat',
  'repeat_row',
  'json_each',
  'json_tree',
  'generate_subscripts',
])

/** What tells of the engine instead of the data, acts on it, or only passes time. */
const NO_FUNCTION =
  /^(current_setting|getvariable|getenv|write_log|nextval|currval|stats|sleep_ms|pg_.*|txid_current|current_(connection|query|transaction).*|json_execute_serialized_sql|json_serialize_plan)$/i

type Node = Record<string, unknown>

/** What a question may not do: a sentence, and where it stands in bytes. */
export type Forbidden = { because: string; position?: number }

/**
 * Reads a question as the engine's own parser has understood it (`json_serialize_sql`). Allowed are one SELECT, the tables named here and those of its own
 * WITH, and functions that only reckon. The engine refuses files by itself as well: this is the first of two doors, and it also closes what needs no
 * file, such as the settings and the log of the engine.
 */
export function findForbidden(statements: unknown[], tables: readonly string[]): Forbidden | undefined {
  if (statements.length !== 1) return { because: 'Ask one question at a time.' }
  const nodes = [...nodesOf(statements)]
  const known = new Set([...tables.map((table) => table.toLowerCase()), ...nodes.flatMap(namesOfWith)])
  for (const node of nodes) {
    const because = reasonAgainst(node, known)
    if (because) return { because, ...positionOf(node) }
  }
  return undefined
}

/** The names, in small letters, that a question gives by WITH. They hold for a part of it alone, so none may be one that the engine knows: elsewhere it would be that. */
export function namesGiven(statements: unknown[]): string[] {
  return [...nodesOf(statements)].flatMap(namesOfWith)
}

/** Without recursion: what is nested deeply must not end the process. */
function* nodesOf(root: unknown): Generator<Node> {
  const open: unknown[] = [root]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    if (!Array.isArray(next)) yield { ...next }
    open.push(...Object.values(next))
  }
}

function namesOfWith(node: Node): string[] {
  const map = isNode(node['cte_map']) ? node['cte_map']['map'] : undefined
  if (!Array.isArray(map)) return []
  return map.flatMap((entry: unknown) => (isNode(entry) && typeof entry['key'] === 'string' ? [entry['key'].toLowerCase()] : []))
}

function reasonAgainst(node: Node, known: Set<string>): string | undefined {
  if (node['type'] === 'BASE_TABLE') return reasonAgainstTable(node, known)
  if (node['type'] === 'TABLE_FUNCTION') return reasonAgainstTableFunction(node['function'])
  if (node['type'] === 'SHOW_REF' && !isNode(node['query'])) return 'Only this dataset can be described.'
  const called = textOf(node, 'function_name')
  return NO_FUNCTION.test(called) ? `The function ${called} cannot be used here.` : undefined
}

function reasonAgainstTable(node: Node, known: Set<string>): string | undefined {
  const name = textOf(node, 'table_name')
  if (!node['schema_name'] && !node['catalog_name'] && known.has(name.toLowerCase())) return undefined
  return `There is no table ${JSON.stringify(name)}: the dataset stands in the table data.`
}

function reasonAgainstTableFunction(called: unknown): string | undefined {
  const name = isNode(called) ? textOf(called, 'function_name') : ''
  return TABLE_FUNCTIONS.has(name.toLowerCase()) ? undefined : `The table function ${name} cannot be used here.`
}

function positionOf(node: Node): { position?: number } {
  const place = node['query_location']
  return typeof place === 'number' && place < 2 ** 31 ? { position: place } : {}
}

function textOf(node: Node, key: string): string {
  const value = node[key]
  return typeof value === 'string' ? value : ''
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
