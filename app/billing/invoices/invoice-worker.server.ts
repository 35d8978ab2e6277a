// A thread has no origin to name.
/* oxlint-disable unicorn/require-post-message-target-origin */
import { parentPort, workerData } from 'node:worker_threads'
import type { InvoiceDocument } from './document.ts'
import { drawInvoice, type InvoiceFonts } from './pdf.server.ts'
import { invoiceXml } from './xml.server.ts'

/** The data of the thread. */
export type InvoiceWork = { invoice: InvoiceDocument; fonts: InvoiceFonts }

/** The message of the thread: its only one, after which it is ended. */
export type InvoiceReply = { pdf: Uint8Array; xml: string }

// Makes the files of one invoice in a thread of its own: it takes seconds of a processor.
const { invoice, fonts }: InvoiceWork = workerData
const xml = invoice.format === '' ? '' : await invoiceXml(invoice)
const pdf = await drawInvoice(invoice, fonts, invoice.format === 'factur-x' ? xml : undefined)
const reply: InvoiceReply = { pdf, xml }
parentPort?.postMessage(reply)
