/** Table functions that generate rows from their arguments. All others read files, catalogs or settings, or change the engine. */
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

/** Functions that reveal or change the engine, or only pass time. */
const NO_FUNCTION =
  /^(current_setting|getvariable|getenv|write_log|nextval|currval|stats|sleep_ms|pg_.*|txid_current|current_(connection|query|transaction).*|json_execute_serialized_sql|json_serialize_plan)$/i

type Node = Record<string, unknown>

/** Why a query is forbidden, with the position in bytes. */
export type Forbidden = { because: string; position?: number }

/**
 * Checks a query as parsed by the engine (`json_serialize_sql`). It allows one SELECT, the named tables and its own CTEs, and pure
 * functions. The engine refuses files as well: this is the first of two barriers, and it also blocks what needs no file, such as settings
 * and logs.
 */
export function findForbidden(statements: unknown[], tables: readonly string[]): Forbidden | undefined {
  if (statements.length !== 1) return { because: 'Run one query at a time.' }
  const nodes = [...nodesOf(statements)]
  const known = new Set([...tables.map((table) => table.toLowerCase()), ...nodes.flatMap(namesOfWith)])
  for (const node of nodes) {
    const because = reasonAgainst(node, known)
    if (because) return { because, ...positionOf(node) }
  }
  return undefined
}

/**
 * The lowercase names of CTEs. A CTE is visible in a part of the query only, so its name must not be one of the engine's: elsewhere it
 * would mean that.
 */
export function namesGiven(statements: unknown[]): string[] {
  return [...nodesOf(statements)].flatMap(namesOfWith)
}

/** Iterative, so deep nesting cannot overflow the stack. */
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
  return NO_FUNCTION.test(called) ? `The function ${called} is not allowed.` : undefined
}

function reasonAgainstTable(node: Node, known: Set<string>): string | undefined {
  const name = textOf(node, 'table_name')
  if (!node['schema_name'] && !node['catalog_name'] && known.has(name.toLowerCase())) return undefined
  return `Unknown table ${JSON.stringify(name)}. Use the table "data".`
}

function reasonAgainstTableFunction(called: unknown): string | undefined {
  const name = isNode(called) ? textOf(called, 'function_name') : ''
  return TABLE_FUNCTIONS.has(name.toLowerCase()) ? undefined : `The table function ${name} is not allowed.`
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
