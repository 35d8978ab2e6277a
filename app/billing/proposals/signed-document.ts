import { z } from 'zod/mini'
import { taxPart } from '#app/billing/orders/order.ts'
import { storedContent } from './proposal.ts'

/** The signed document: the proposal as it was sent, the chosen lines, the buyer and the amounts. */
export const signedDocument = z.object({
  reference: z.string(),
  number: z.int(),
  contentHash: z.string(),
  content: storedContent,
  chosen: z.array(z.string()),
  /** Of the lines whose quantity the client chose, in thousandths. */
  quantities: z._default(z.record(z.string(), z.int()), {}),
  buyer: z.object({ organizationId: z.string(), company: z.string(), countryCode: z.string(), vatNumber: z.string() }),
  signer: z.object({ name: z.string(), email: z.string() }),
  taxParts: z.array(taxPart),
  net: z.int(),
  tax: z.int(),
  gross: z.int(),
  /** With tax. */
  deposit: z.int(),
  /** The consents of the signer, in words. */
  consents: z.array(z.string()),
  sentAt: z.string(),
  firstOpenedAt: z.string(),
  signedAt: z.string(),
})

export type SignedDocument = z.infer<typeof signedDocument>

export function readSigned(text: string): SignedDocument {
  return signedDocument.parse(JSON.parse(text))
}
