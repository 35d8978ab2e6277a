import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './scripts/chunks.ts'
import { islands } from './scripts/islands.ts'
import { precompress } from './scripts/precompress.ts'
import { serverChunks } from './scripts/server-chunks.ts'
import { serverCode } from './scripts/server-code.ts'

/** Packages outside the bundle: binaries, and those that load files of their own at run time. */
const EXTERNAL = [
  '@duckdb/node-api',
  '@electric-sql/pglite',
  '@opentelemetry/sdk-node',
  '@takumi-rs/core',
  'imapflow',
  'nodemailer',
  'pg',
  'sharp',
  'web-push',
]
/** Fastify's own schema compilers: `createHttp` sets others. */
const NEVER_LOADED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

export default defineConfig({
  plugins: [tailwindcss(), chunks(), serverChunks(), serverCode(), reactRouter(), islands(), precompress(), oneBundle(), ownBeginnings()],
})

/** All code of the server, and of the packages that need not be installed where it runs, in one bundle. While developing, Node loads packages. */
function oneBundle(): Plugin {
  const ssr = {
    resolve: {
      noExternal: true as const,
      external: [...EXTERNAL, ...NEVER_LOADED],
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { rolldownOptions: { input: 'app/start.server.ts' } },
  }
  return { name: 'winnow:one-bundle', apply: 'build', config: () => ({ environments: { ssr } }) }
}

/**
 * Files of their own for each process and thread: the two later steps of a start, the threads that render texts and read calendars and emails of
 * strangers, the processes that start and run SQL queries, and the one that imports datasets. Code that they share is built once.
 */
function ownBeginnings(): Plugin {
  const beginnings = {
    'main.js': 'app/main.server.ts',
    'server.js': 'app/server.ts',
    'read-email-worker.js': 'app/leads/mailbox/read-email-worker.server.ts',
    'busy-worker.js': 'app/booking/calendar/busy-worker.server.ts',
    'render-worker.js': 'app/blog/markdown/render-worker.server.ts',
    'query-starter.js': 'app/datasets/sql/query-starter.server.ts',
    'query-child.js': 'app/datasets/sql/query-child.server.ts',
    'import-process.js': 'app/datasets/import/import-process.server.ts',
  }
  return {
    name: 'winnow:own-beginnings',
    apply: 'build',
    buildStart() {
      if (this.environment.name !== 'ssr') return
      for (const [fileName, file] of Object.entries(beginnings)) this.emitFile({ type: 'chunk', id: path.resolve(file), fileName })
    },
  }
}
