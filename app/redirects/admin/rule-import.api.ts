import { sendExport } from '#app/platform/http/export.server.ts'
import { XLSX_TYPE } from '#app/platform/tables/xlsx.ts'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { ruleCells } from '#app/redirects/formats/csv-rules.server.ts'
import { writeRules } from '#app/redirects/formats/rule-file.server.ts'
import { formats } from '#app/redirects/formats/rule-file.ts'
import { forgetMissed } from '#app/redirects/rules/redirect.server.ts'
import { changeRedirects, listRedirects, MOST_REDIRECTS } from '#app/redirects/rules/redirect-list.server.ts'
import { textAnswer } from '#app/platform/http/response-schema.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Redirect, RedirectBody } from '#app/redirects/rules/redirect.ts'
import {
  exportQuery,
  importBody,
  type ImportBody,
  importQuery,
  importReport,
  REDIRECT_EXPORT,
  REDIRECT_IMPORT,
  type RedirectImportReport,
} from './rule-import.ts'
import { planImport } from './rule-import.server.ts'

const tags = ['redirects']

/** In bytes: the longest text of a file with every character escaped. */
const bodyLimit = 6 * 1024 * 1024

const types = { csv: 'text/csv', json: 'application/json', apache: 'text/plain', nginx: 'text/plain' }

export const redirectFilesApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'redirects.write')
  })

  app.post(REDIRECT_IMPORT, {
    schema: {
      summary: 'Import redirects, or preview an import',
      tags,
      querystring: importQuery,
      body: importBody,
      response: { 200: importReport },
    },
    bodyLimit,
    config: { audit: 'redirects_imported', limit: perVisitor('redirects.import', 60, '10 minutes') },
    handler: async ({ query, body }) => importRules(body, query.dry === 'true'),
  })

  app.get(REDIRECT_EXPORT, {
    schema: {
      summary: 'Export redirects as a file',
      tags,
      querystring: exportQuery,
      response: { 200: textAnswer('The file.', 'text/csv', 'application/json', 'text/plain', XLSX_TYPE) },
    },
    config: { audit: 'redirects_exported' },
    exposeHeadRoute: false,
    async handler({ query }, reply) {
      const { format } = query
      const rules = await listRedirects()
      if (format === 'xlsx') return sendExport(reply, { name: 'redirects', list: { columns: ruleCells, batches: [rules] }, format })
      const { text, left } = writeRules(rules, format)
      const ending = formats.find(({ value }) => value === format)?.ending ?? 'txt'
      return reply
        .headers({
          'content-type': `${types[format]}; charset=utf-8`,
          'content-disposition': `attachment; filename="redirects-${new Date().toISOString().slice(0, 10)}.${ending}"`,
          'rules-left-out': left.length,
        })
        .send(text)
    },
  })
}

/** Accepted rules are written in one transaction. */
async function importRules(body: ImportBody, isDry: boolean): Promise<RedirectImportReport> {
  const known = await listRedirects()
  const { taken, ...seen } = await planImport(body, body.replace ? [] : known, MOST_REDIRECTS)
  if (isDry) return { ...seen, written: 0 }
  // Checking takes a while and holds no lock, so the write compares the list again.
  await changeRedirects(async (trx) => writeRedirects(trx, taken, { known, now: await listRedirects(trx), replace: body.replace }))
  return { ...seen, written: taken.length }
}

/** Rows per statement: PostgreSQL takes 65,535 parameters at most. */
const BATCH = 2_000

type Written = {
  /** The list that the rules were checked against. */ known: readonly Redirect[]
  /** The current list. */ now: readonly Redirect[]
  replace: boolean
}

/** Appends the rules in their order, or replaces the list. Stops with a conflict when the list has changed since the check. */
async function writeRedirects(
  trx: Trx,
  rules: readonly (RedirectBody & { id: string })[],
  { known, now, replace }: Written,
): Promise<void> {
  if (meaningOf(now) !== meaningOf(known)) {
    stop('conflict', 'The list has changed in the meantime. Preview the import again.', { code: 'list_changed' })
  }
  if (replace) await trx.deleteFrom('redirects').execute()
  await add(trx, rules, replace ? 0 : (now.at(-1)?.position ?? 0))
}

async function add(trx: Trx, rules: readonly (RedirectBody & { id: string })[], last: number) {
  for (let at = 0; at < rules.length; at += BATCH) {
    const batch = rules.slice(at, at + BATCH)
    await trx
      .insertInto('redirects')
      .values(
        batch.map(({ description, ...rule }, index) => ({ ...rule, description: description || null, position: last + at + index + 1 })),
      )
      .execute()
  }
  await forgetMissed(trx, rules)
}

/** Without hits, which change all the time: only the fields that an import depends on. */
function meaningOf(list: readonly Redirect[]): string {
  return JSON.stringify(list.map(({ hits: _hits, lastHitAt: _lastHitAt, ...redirect }) => redirect))
}
