import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import { text } from 'node:stream/consumers'
import { type QueryRefusal, findRefusal, onlyQuestions, lock, openEngine, toRefused } from './locked-engine.server.ts'
import { fromJson, toJson, typeOf } from './result-value.server.ts'

/**
 * The process for one query: it ends afterwards, so no query sees data of another. It reads a task from its input, and writes one line
 * with the outcome, then the body. Its parent limits memory and time.
 */
type Task = { file: string; tables: string[]; sql: string; rows: number; bytes: number }

async function work() {
  const connection = await openEngine()
  process.stdout.write('ready\n')
  const task: Task = JSON.parse(await text(process.stdin))
  const outcome = await outcomeOf(connection, task).catch((error: unknown) => ({ refused: toRefused(error, task) }))
  const [head, body] = 'refused' in outcome ? [outcome, ''] : [{}, outcome.body]
  // Pending output keeps the process alive; the engine's threads must not.
  process.stdout.write(`${JSON.stringify(head)}\n${body}`, () => process.exit(0))
}

async function outcomeOf(connection: DuckDBConnection, task: Task): Promise<{ refused: QueryRefusal } | { body: string }> {
  await lock(connection, task)
  const refused = await findRefusal(connection, task)
  return refused ? { refused } : answer(connection, task)
}

/** Rows are serialized one by one, so rows past the limit cost nothing. */
async function answer(
  connection: DuckDBConnection,
  { sql, rows: most, bytes }: Task,
): Promise<{ refused: QueryRefusal } | { body: string }> {
  const began = performance.now()
  const prepared = await connection.prepare(sql)
  if (prepared.statementType !== StatementType.SELECT) return { refused: onlyQuestions }
  const result = await prepared.stream()
  const columns = result.columnNames().map((name, index) => ({ name, type: typeOf(result.columnType(index)) }))
  const isJson = columns.map((_, index) => result.columnType(index).alias === 'JSON')
  const rows: string[] = []
  let room = bytes
  let truncated = false
  for await (const chunk of result.yieldConvertedRows(toJson)) {
    for (const row of chunk) {
      const line = JSON.stringify(row.map((value, index) => (isJson[index] && typeof value === 'string' ? fromJson(value) : value)))
      room -= Buffer.byteLength(line) + 1
      truncated ||= rows.length === most || room < 0
      if (!truncated) rows.push(line)
    }
    if (truncated) break
  }
  const ms = Math.round(performance.now() - began)
  return { body: `{"columns":${JSON.stringify(columns)},"rows":[${rows.join(',')}],"truncated":${truncated},"ms":${ms}}` }
}

void work()
