import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod/mini'
import type { exportFormat } from '#app/platform/tables/export-format.ts'
import { GUARD_NOTE } from '#app/platform/tables/formula-guard.ts'
import { asCsv, asXlsx, type ListFile } from '#app/platform/tables/list-file.server.ts'
import { XLSX_TYPE } from '#app/platform/tables/xlsx.ts'
import { fileResponseSchema } from './response-schema.ts'

export const exportAnswer = fileResponseSchema('The file: CSV, or an Excel workbook with `format=xlsx`.', 'text/csv', XLSX_TYPE)

type Export<Row> = { name: string; list: ListFile<Row>; format: z.infer<typeof exportFormat>; bom?: boolean }

/** Sends a list as a file, as CSV or as the same rows in an Excel workbook. It is read as fast as the client takes it. */
export function sendExport<Row>(reply: FastifyReply, { name, list, format = 'csv', bom }: Export<Row>) {
  reply.headers({
    'content-type': format === 'xlsx' ? XLSX_TYPE : 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.${format}"`,
  })
  if (format === 'csv') reply.header('csv-note', GUARD_NOTE)
  return reply.send(Readable.from(format === 'xlsx' ? asXlsx(list) : asCsv(list, { bom }), { objectMode: false }))
}
