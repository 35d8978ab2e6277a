import { PGlite } from '@electric-sql/pglite'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { citext } from '@electric-sql/pglite/contrib/citext'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { pgcrypto } from '@electric-sql/pglite/contrib/pgcrypto'
import { unaccent } from '@electric-sql/pglite/contrib/unaccent'
import path from 'node:path'
import { Client } from 'pg'

export type Run = (statement: string) => Promise<Record<string, unknown>[]>

/** One of the two databases: its settings, and a query function for use while no product process runs on the embedded one. */
export type Engine = { name: string; env: Record<string, string>; url?: string; ask: (work: (run: Run) => Promise<void>) => Promise<void> }

export function onPostgres(url: string, dataDir: string): Engine {
  return {
    name: 'PostgreSQL',
    url,
    env: { DATABASE_URL: url, DATA_DIR: dataDir },
    async ask(work) {
      const client = new Client(url)
      await client.connect()
      await work(async (statement) => (await client.query<Record<string, unknown>>(statement)).rows)
      await client.end()
    },
  }
}

export function onEmbedded(dataDir: string): Engine {
  return {
    name: 'embedded',
    env: { DATA_DIR: dataDir, DATABASE_URL: '' },
    async ask(work) {
      const extensions = { btree_gist, citext, pg_trgm, pgcrypto, unaccent }
      const engine = await PGlite.create(path.join(dataDir, 'pg18'), { extensions })
      // Whole files of statements too.
      await work(async (statement) => (await engine.exec(statement)).at(-1)?.rows ?? [])
      await engine.close()
    },
  }
}
