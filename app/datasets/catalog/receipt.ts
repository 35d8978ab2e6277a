import { z } from 'zod/mini'

/** The orders of an organization, for its members. */
export const OWN_ORDERS = '/api/orders'

/** An invoice or credit note of an order. */
export const receipt = z.object({
  id: z.string(),
  /** With its number, such as 'Invoice INV-2026-0001'. */
  title: z.string(),
  /** Null while its file is being made. */
  pdfUrl: z.nullable(z.string()),
  /** The same for programs, by EN 16931; null where there is none. */
  xmlUrl: z.nullable(z.string()),
})

export type Receipt = z.infer<typeof receipt>

/** The part of an order that the page after its payment shows. */
export const paidOrders = z.object({ items: z.array(z.object({ invoices: z.array(receipt) })) })

const AGAIN_MS = 4000

/** Orders are asked for again while a file is being made, which takes seconds. */
export function againAfter(orders: readonly { invoices: readonly Receipt[] }[] = []): number | false {
  return orders.some(({ invoices }) => invoices.some(({ pdfUrl }) => pdfUrl === null)) && AGAIN_MS
}
