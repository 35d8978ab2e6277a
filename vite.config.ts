import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { islands } from './scripts/islands.ts'
import { precompress } from './scripts/precompress.ts'

/** Packages outside the bundle: binaries, and those that load files of their own at run time. */
const EXTERNAL = [
  '@duckdb/node-api',
  '@electric-sql/pglite',
  '@opentelemetry/sdk-node',
  '@takumi-rs/core',
  'imapflow',
  'nodemailer',
  'pdfkit',
  'pg',
  'sharp',
  'web-push',
]

/**
 * The server, the threads that render texts, make invoices and read calendars and emails of strangers, the processes that start and run SQL queries, and the one
 * that imports datasets.
 */
const SERVER_FILES = {
  index: 'app/main.server.ts',
  'read-email-worker': 'app/leads/mailbox/read-email-worker.server.ts',
  'invoice-worker': 'app/billing/invoices/invoice-worker.server.ts',
  'busy-worker': 'app/booking/calendar/busy-worker.server.ts',
  'render-worker': 'app/blog/markdown/render-worker.server.ts',
  'query-starter': 'app/datasets/sql/query-starter.server.ts',
  'query-child': 'app/datasets/sql/query-child.server.ts',
  'import-process': 'app/datasets/import/import-process.server.ts',
}

/** Few files for each page: what wakes a form of a public page, small parts that such a page also loads alone, the frame, and what many pages share. */
const BROWSER_FILES = [
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|zod)\/|app\/ui\/(button|button-look|class-names|error-summary|field|honeypot|character-count|input|toast|toaster)\.tsx?$|app\/leads\/lead\/enquiry-limits|app\/content\/(contact-options|hours|enquiry)\.|app\/platform\/(errors\/problem|text\/clean-text|islands\/hydrate|browser\/(hydration|data-changed|first-errors))\./,
    priority: 4,
  },
  {
    name: 'bits',
    test: /preload-helper|app\/platform\/((errors|files|guard|process|tables|text|time)\/)?[a-z-]+\.tsx?$/,
    priority: 3,
    entriesAware: true,
  },
  { name: 'frame', test: /node_modules\/(react-router|@tanstack)\/|app\/root\.|app\/site\/shell\/shell\./, priority: 2 },
  { name: 'common', minShareCount: 12, priority: 1 },
]

export default defineConfig({
  environments: {
    // Pages name their files in their head, so `import()` needs no list of its own.
    client: { build: { modulePreload: false, rolldownOptions: { output: { codeSplitting: { groups: BROWSER_FILES } } } } },
  },
  plugins: [tailwindcss(), reactRouter(), serverBundle(), islands(), precompress()],
})

/** Bundles all code of the server, with the packages that need not be installed where it runs. While developing, Node loads packages. */
function serverBundle(): Plugin {
  return {
    name: 'winnow:server-bundle',
    apply: 'build',
    configEnvironment: (name) =>
      name === 'ssr'
        ? {
            resolve: { noExternal: true, external: EXTERNAL },
            define: { 'process.env.NODE_ENV': '"production"' },
            build: {
              sourcemap: true,
              rolldownOptions: { input: SERVER_FILES, output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' } },
            },
          }
        : undefined,
  }
}
