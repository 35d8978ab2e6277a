import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import type { z } from 'zod/mini'
import { asXlsx } from '#app/platform/csv-sheet.server.ts'
import type { exportFormat } from '#app/platform/export-format.ts'
import { GUARD_NOTE } from '#app/platform/formula-guard.ts'
import { XLSX_TYPE } from '#app/platform/xlsx.ts'
import { fileResponseSchema } from './response-schema.ts'

export const exportAnswer = fileResponseSchema('The file: CSV, or an Excel workbook with `format=xlsx`.', 'text/csv', XLSX_TYPE)

type Export = { name: string; csv: Readable; format: z.infer<typeof exportFormat> }

/** Sends a list as a file, as CSV or as the same rows in an Excel workbook. */
export function sendExport(reply: FastifyReply, { name, csv, format = 'csv' }: Export) {
  reply.headers({
    'content-type': format === 'xlsx' ? XLSX_TYPE : 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}-${new Date().toISOString().slice(0, 10)}.${format}"`,
  })
  return format === 'xlsx' ? reply.send(asXlsx(csv)) : reply.header('csv-note', GUARD_NOTE).send(csv)
}
