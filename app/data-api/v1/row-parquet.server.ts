import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type DataVersion, sourceOf } from '#app/datasets/rows/parquet-file.server.ts'
import { queryDuckdb, literal, identifier } from '#app/datasets/rows/engine.server.ts'
import { env } from '#app/platform/env.server.ts'

/** A page of rows as Parquet with the types of the version; times are UTC. */
export async function pageAsParquet(version: DataVersion, names: readonly string[], rows: readonly object[]): Promise<Buffer> {
  const { columns } = await sourceOf(version)
  const folder = path.resolve(env.DATA_DIR, 'cache', 'pages')
  const file = path.join(folder, crypto.randomUUID())
  const chosen = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const types = chosen.map(({ name, kept }) => `${literal(name)}: ${literal(kept.startsWith('TIMESTAMP') ? 'TIMESTAMP' : kept)}`)
  const given = `read_json(${literal(`${file}.jsonl`)}, format = 'newline_delimited', columns = {${types.join(', ')}})`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeFile(`${file}.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { mode: 0o600 })
    await queryDuckdb(
      `COPY (SELECT ${chosen.map(({ name }) => identifier(name)).join(', ')} FROM ${given}) TO ${literal(`${file}.parquet`)} (FORMAT parquet)`,
    )
    return await readFile(`${file}.parquet`)
  } finally {
    await Promise.all(['jsonl', 'parquet'].map((end) => rm(`${file}.${end}`, { force: true })))
  }
}
